package org.prismpool.payout.tool;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import org.prismpool.payout.json.ByteSink;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.JsonException;
import org.prismpool.payout.window.PayoutRuleException;

/** What every tool shares: one line for a failure, exit status 0 or 1, input from a file or from standard input. */
final class ToolRun {

    private ToolRun() {}

    /** One run; everything it may throw as an expected failure is a message. */
    @FunctionalInterface
    interface Body {
        void run() throws IOException;
    }

    static int run(String tool, ToolStreams streams, Body body) {
        String message;
        try {
            body.run();
            streams.out().flush();
            if (!streams.out().checkError()) {
                return 0;
            }
            message = "failed to write output";
        } catch (ToolFailure | PayoutRuleException | JsonException e) {
            message = String.valueOf(e.getMessage());
        } catch (IOException e) {
            message = text(e);
        } catch (UncheckedIOException e) {
            message = text(Objects.requireNonNull(e.getCause()));
        } catch (OutOfMemoryError e) {
            message = "input does not fit in the memory of this process"; // everything read is garbage by now
        }
        String line = tool + ": " + message.replace("\r", "\\r").replace("\n", "\\n") + "\n";
        streams.err().writeBytes(line.getBytes(StandardCharsets.UTF_8));
        streams.err().flush();
        return 1;
    }

    static String text(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "No such file or directory (os error 2)";
        }
        if (e instanceof AccessDeniedException) {
            return "Permission denied (os error 13)";
        }
        return String.valueOf(e.getMessage());
    }

    /** Opens a file; an empty path or {@code -} is standard input, which stays open. */
    static InputStream open(String path, ToolStreams streams) throws IOException {
        return isStandardInput(path) ? new Unclosed(streams.in()) : Files.newInputStream(Path.of(path));
    }

    static boolean isStandardInput(String path) {
        return path.isEmpty() || path.equals("-");
    }

    static CanonicalWriter pretty(ToolStreams streams) {
        return CanonicalWriter.pretty(sink(streams));
    }

    static CanonicalWriter compact(ToolStreams streams) {
        return CanonicalWriter.compact(sink(streams));
    }

    static void line(ToolStreams streams, String text) {
        streams.out().writeBytes((text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static ByteSink sink(ToolStreams streams) {
        OutputStream out = streams.out();
        return ByteSink.to(out);
    }

    /** Standard input is the caller's to close. */
    private static final class Unclosed extends FilterInputStream {

        Unclosed(InputStream in) {
            super(in);
        }

        @Override
        public void close() {
            // left open on purpose
        }
    }
}
