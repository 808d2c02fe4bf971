package org.prismpool.payout.json;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** A sliding view of an input: the unread bytes, and everything since a mark while a token is being scanned. */
final class ByteWindow {

    private static final int INITIAL = 1 << 17;

    final long maxBytes;
    final int maxToken;

    byte[] bytes;
    int at;
    int limit;

    private final InputStream in;
    private int mark = -1;
    private long dropped; // bytes of the input before bytes[0]

    ByteWindow(InputStream in, long maxBytes, int maxToken) {
        this.in = in;
        this.maxBytes = maxBytes;
        this.maxToken = maxToken;
        this.bytes = new byte[INITIAL];
    }

    ByteWindow(byte[] whole, int maxToken) {
        this.in = InputStream.nullInputStream();
        this.maxBytes = Long.MAX_VALUE;
        this.maxToken = maxToken;
        this.bytes = whole;
        this.limit = whole.length;
    }

    /** Returns the next byte without taking it, or -1 at the end. */
    int peek() {
        return at < limit || fill() ? bytes[at] & 0xff : -1;
    }

    /** Keeps everything from here on in the array until {@link #release}. */
    void mark() {
        mark = at;
    }

    int markIndex() {
        return mark;
    }

    void release() {
        mark = -1;
    }

    long position() {
        return dropped + at;
    }

    /** Reads more bytes; indexes before the call move with {@code at} and the mark. Returns false at the end. */
    boolean fill() {
        int keep = mark >= 0 ? mark : at;
        if (keep > 0) {
            System.arraycopy(bytes, keep, bytes, 0, limit - keep);
            dropped += keep;
            at -= keep;
            limit -= keep;
            if (mark >= 0) {
                mark = 0;
            }
        }
        if (limit == bytes.length) {
            grow();
        }
        try {
            int count = in.read(bytes, limit, bytes.length - limit);
            if (count <= 0) {
                return false;
            }
            limit += count;
            if (dropped + limit > maxBytes) {
                throw new JsonException("document is larger than " + maxBytes + " bytes");
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void grow() {
        if (bytes.length >= maxToken) {
            throw new JsonException("a single value is longer than " + maxToken + " bytes");
        }
        byte[] larger = new byte[(int) Math.min(maxToken, Math.max(INITIAL, bytes.length * 2L))];
        System.arraycopy(bytes, 0, larger, 0, limit);
        bytes = larger;
    }
}
