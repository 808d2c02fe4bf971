package org.prismpool.payout.audit;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Texts of file errors as command-line tools of this field print them. */
public final class OsErrors {

    private OsErrors() {}

    /**
     * Describes a failed read or write in one line.
     *
     * @param e the failure
     * @return the text of the operating system, without the path where the kind is known
     */
    public static String text(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "No such file or directory (os error 2)";
        }
        if (e instanceof AccessDeniedException) {
            return "Permission denied (os error 13)";
        }
        String message = e instanceof FileSystemException failure ? failure.getReason() : e.getMessage();
        if (message == null || message.isBlank()) {
            return "input/output error";
        }
        return switch (message) {
            case "Is a directory" -> "Is a directory (os error 21)";
            case "Not a directory" -> "Not a directory (os error 20)";
            default -> message.lines().findFirst().orElse(message);
        };
    }
}
