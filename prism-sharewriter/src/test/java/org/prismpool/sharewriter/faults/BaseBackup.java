package org.prismpool.sharewriter.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.prismpool.sharewriter.TestPostgres;

/** A copy of a running server's files by its own protocol, as an operator's tool makes it; a server starts on it. */
final class BaseBackup {

    private static final List<String> OF_THE_PROCESS = List.of("postmaster.pid", "postmaster.opts");

    private BaseBackup() {}

    /**
     * Copies.
     *
     * @param url any database of the server, whose files this process may read
     * @param target folder that does not exist
     * @param last called when nothing but the log is left to copy: what is committed by then is in the copy
     */
    static void take(String url, Path target, Runnable last) throws Exception {
        Files.createDirectory(
                target, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try (Connection connection = TestPostgres.connect(url);
                Statement statement = connection.createStatement()) {
            Path data = Path.of(text(statement, "SHOW data_directory"));
            statement.execute("SELECT pg_backup_start('drill', true)");
            Path log = data.resolve("pg_wal");
            copy(
                    data,
                    target,
                    file -> !file.startsWith(log)
                            && !OF_THE_PROCESS.contains(file.getFileName().toString()));
            last.run();
            String label = text(statement, "SELECT labelfile FROM pg_backup_stop(false)");
            Files.writeString(target.resolve("backup_label"), label);
            copy(log, target.resolve("pg_wal"), file -> true);
        }
    }

    private static String text(Statement statement, String sql) throws Exception {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private static void copy(Path from, Path to, Predicate<Path> wanted) throws IOException {
        List<Path> files;
        try (Stream<Path> tree = Files.walk(from)) {
            files = tree.filter(wanted).toList();
        } catch (UncheckedIOException moving) {
            throw moving.getCause();
        }
        for (Path file : files) {
            Path copy = to.resolve(from.relativize(file));
            try {
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
                }
            } catch (NoSuchFileException vanished) {
                if (Files.exists(file)) {
                    throw vanished; // else the server deleted it, and its log says so
                }
            }
        }
    }
}
