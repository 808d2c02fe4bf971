package org.prismpool.templates.rpc;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads one HTTP/1.1 answer (RFC 9112): a body of a given length, in chunks, or up to the end of the connection.
 *
 * <p>Used by one thread for one answer. Anything that is not HTTP is an {@link IOException}.
 */
final class AnswerReader {

    private static final Pattern STATUS = Pattern.compile("([01]) ([1-5][0-9]{2})(?: .*)?");
    private static final String PROTOCOL = "HTTP/1.";
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,12}");
    private static final Pattern CHUNK = Pattern.compile("([0-9a-fA-F]{1,8})[ \\t]*(?:;.*)?");
    private static final int HEAD_LIMIT = 32 << 10;
    private static final int FIRST_BUFFER = 64 << 10;
    private static final int INTERIM = 200; // a status below it announces another answer
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;
    private static final int HEX = 16;

    private final NodeConnection connection;
    private final int limit;
    private int headBytes;
    private int status;
    private boolean keepAlive;
    private boolean chunked;
    private Optional<Integer> length = Optional.empty();
    private byte[] body = new byte[0];
    private int filled;

    AnswerReader(NodeConnection connection, int limit) {
        this.connection = connection;
        this.limit = limit;
    }

    /**
     * Reads the answer to its last byte.
     *
     * @return status and body
     * @throws TooLongException if the body exceeds the limit
     */
    RpcTransport.Answer read() throws IOException {
        do {
            readHead();
        } while (status < INTERIM);
        if (status != NO_CONTENT && status != NOT_MODIFIED) {
            readBody();
        }
        return new RpcTransport.Answer(status, body.length == filled ? body : Arrays.copyOf(body, filled));
    }

    /** Tells whether the connection can carry another request. */
    boolean keepAlive() {
        return keepAlive;
    }

    private void readHead() throws IOException {
        for (int i = 0; i < PROTOCOL.length(); i++) {
            if (connection.read() != PROTOCOL.charAt(i)) {
                throw new IOException("answer is not HTTP, is this the node's RPC port?");
            }
        }
        Matcher line = STATUS.matcher(readLine());
        if (!line.matches()) {
            throw new IOException("malformed HTTP status line");
        }
        keepAlive = line.group(1).equals("1");
        status = Integer.parseInt(line.group(2));
        chunked = false;
        length = Optional.empty();
        for (String header = readLine(); !header.isEmpty(); header = readLine()) {
            int colon = header.indexOf(':');
            if (colon < 1) {
                throw new IOException("malformed HTTP header");
            }
            String name = header.substring(0, colon).toLowerCase(Locale.ROOT);
            take(name, header.substring(colon + 1).strip().toLowerCase(Locale.ROOT));
        }
    }

    private void take(String name, String value) throws IOException {
        switch (name) {
            case "connection" -> keepAlive = keepAlive ? !value.contains("close") : value.contains("keep-alive");
            case "transfer-encoding" -> {
                if (!value.equals("chunked")) {
                    throw new IOException("unknown transfer encoding");
                }
                chunked = true;
            }
            case "content-length" -> {
                if (!LENGTH.matcher(value).matches()) {
                    throw new IOException("malformed content length");
                }
                int bytes = withinLimit(Long.parseLong(value));
                if (length.isPresent() && length.get() != bytes) {
                    throw new IOException("two content lengths");
                }
                length = Optional.of(bytes);
            }
            default -> {
                // Nothing else changes how the answer is read.
            }
        }
    }

    private int withinLimit(long bytes) throws TooLongException {
        if (bytes > limit) {
            throw new TooLongException();
        }
        return (int) bytes;
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = connection.read(); next != '\n'; next = connection.read()) {
            if (++headBytes > HEAD_LIMIT) {
                throw new IOException("HTTP header is too long");
            }
            line.append((char) next);
        }
        int end = line.length();
        return line.substring(0, end > 0 && line.charAt(end - 1) == '\r' ? end - 1 : end);
    }

    private void readBody() throws IOException {
        if (chunked) {
            readChunks();
        } else if (length.isPresent()) {
            readExactly(length.get());
        } else {
            keepAlive = false;
            readToEnd();
        }
    }

    private void readChunks() throws IOException {
        while (true) {
            headBytes = 0;
            Matcher line = CHUNK.matcher(readLine());
            if (!line.matches()) {
                throw new IOException("malformed chunk");
            }
            long size = Long.parseLong(line.group(1), HEX);
            if (size == 0) {
                while (!readLine().isEmpty()) {
                    // trailers say nothing about the answer
                }
                return;
            }
            readExactly(withinLimit(filled + size) - filled);
            if (!readLine().isEmpty()) {
                throw new IOException("malformed chunk");
            }
        }
    }

    private void readExactly(int bytes) throws IOException {
        int end = filled + bytes;
        while (filled < end) {
            room(end);
            int count = connection.read(body, filled, Math.min(end, body.length) - filled);
            if (count < 0) {
                throw new IOException("answer ends early");
            }
            filled += count;
        }
    }

    private void readToEnd() throws IOException {
        int count = 0;
        while (count >= 0) {
            if (filled > limit) {
                throw new TooLongException();
            }
            room(limit + 1);
            count = connection.read(body, filled, body.length - filled);
            filled += Math.max(0, count);
        }
    }

    /** Makes room for at least one byte; grows with what has come, not with what was announced. */
    private void room(int most) {
        if (filled == body.length) {
            body = Arrays.copyOf(body, Math.min(most, Math.max(FIRST_BUFFER, 2 * body.length)));
        }
    }

    /** The answer exceeds the limit. */
    static final class TooLongException extends IOException {

        private static final long serialVersionUID = 1L;

        TooLongException() {
            super("answer exceeds the limit");
        }
    }
}
