package org.prismpool.payout.tool;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.prismpool.payout.audit.OsErrors;
import org.prismpool.payout.json.ByteSink;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.JsonException;
import org.prismpool.payout.json.OverlappedSink;
import org.prismpool.payout.window.PayoutRuleException;

/** What every tool shares: one line for a failure, exit status 0 or 1, input from a file or from standard input. */
final class ToolRun {

    private static final int MAX_TEXT = 1 << 24; // four times the largest coinbase in hexadecimal text

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
        } catch (InvalidPathException e) {
            message = "invalid path: " + e.getReason();
        } catch (OutOfMemoryError e) {
            message = "input does not fit in the memory of this process"; // everything read is garbage by now
        } catch (RuntimeException e) {
            message = "internal error: " + e; // a fault of ours, told in the one line that callers rely on
        }
        String line = tool + ": " + oneLine(message) + "\n";
        streams.err().writeBytes(line.getBytes(StandardCharsets.UTF_8));
        streams.err().flush();
        return 1;
    }

    /** Escapes whatever a terminal or a log would take for the end of the line, or worse. */
    private static String oneLine(String message) {
        StringBuilder line = new StringBuilder(message.length());
        message.codePoints().forEach(c -> {
            if (c == '\n') {
                line.append("\\n");
            } else if (c == '\r') {
                line.append("\\r");
            } else if (Character.getType(c) == Character.CONTROL || c == 0x2028 || c == 0x2029) {
                line.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                line.appendCodePoint(c);
            }
        });
        return line.toString();
    }

    static String text(IOException e) {
        return OsErrors.text(e);
    }

    /** Reads a file of hexadecimal text. */
    static String text(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_TEXT + 1);
            if (bytes.length > MAX_TEXT) {
                throw new ToolFailure("file is longer than " + MAX_TEXT + " bytes");
            }
            return new String(bytes, StandardCharsets.US_ASCII);
        }
    }

    /** Opens a file; no path or {@code -} is standard input, which stays open. */
    static InputStream open(Optional<String> path, ToolStreams streams) throws IOException {
        if (isStandardInput(path)) {
            return new Unclosed(streams.in());
        }
        if (path.get().isEmpty()) {
            throw new NoSuchFileException(""); // Java would take it for the working directory
        }
        return Files.newInputStream(Path.of(path.get()));
    }

    static boolean isStandardInput(Optional<String> path) {
        return path.isEmpty() || path.get().equals("-");
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

    /** Writes a document that may be large: it is encoded on this thread while another one writes. */
    static void large(ToolStreams streams, Consumer<ByteSink> document) {
        OverlappedSink.run("prism-payout-output", sink(streams), document);
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
