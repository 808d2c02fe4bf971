package org.prismpool.app.demo.miner;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Splits a byte stream into lines that end with a line feed, a carriage return before it dropped. Keeps a partial line
 * over a read time-out, so the caller may simply call again. Confined to one thread.
 */
final class LineReader {

    private static final int LONGEST_LINE = 1 << 20;

    private final InputStream in;
    private byte[] buffer = new byte[8192];
    private int start;
    private int end;
    private int scanned;

    LineReader(InputStream in) {
        this.in = in;
    }

    /**
     * Returns the next line.
     *
     * @throws EOFException when the peer closed the stream
     * @throws java.net.SocketTimeoutException when the socket's read time-out passed; no byte is lost
     * @throws IOException on any other failure, also for a line above 1 MiB
     */
    String readLine() throws IOException {
        while (true) {
            for (int i = scanned; i < end; i++) {
                if (buffer[i] == '\n') {
                    int stop = i > start && buffer[i - 1] == '\r' ? i - 1 : i;
                    String line = new String(buffer, start, stop - start, StandardCharsets.UTF_8);
                    start = i + 1;
                    scanned = start;
                    return line;
                }
            }
            scanned = end;
            fill();
        }
    }

    private void fill() throws IOException {
        if (start > 0) {
            System.arraycopy(buffer, start, buffer, 0, end - start);
            end -= start;
            scanned -= start;
            start = 0;
        }
        if (end == buffer.length) {
            if (buffer.length >= LONGEST_LINE) {
                throw new IOException("line above " + LONGEST_LINE + " bytes");
            }
            buffer = Arrays.copyOf(buffer, buffer.length * 2);
        }
        int count = in.read(buffer, end, buffer.length - end);
        if (count < 0) {
            throw new EOFException("connection closed by the pool");
        }
        end += count;
    }
}
