package org.prismpool.sharewriter.postgres;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Remembers values that were decoded from a column, so that rows with the same bytes share one object.
 *
 * <p>A value has two places, and a newer one takes the place of the older: whatever the bytes are, a look-up costs two
 * comparisons and the memory is bounded. What was pushed out is decoded again.
 *
 * <p>Confined to one reader.
 */
final class SharedFields<T> {

    static final int PLACES = 16_384; // 2 to the 14th
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    private final Decode<T> decode;
    private final byte[] @Nullable [] keys = new byte[PLACES][];
    private final @Nullable Object[] values = new Object[PLACES];

    SharedFields(Decode<T> decode) {
        this.decode = decode;
    }

    /** Makes a value from its bytes. */
    @FunctionalInterface
    interface Decode<T> {
        T from(byte[] bytes, int from, int length);
    }

    /** Returns the value of these bytes. */
    T of(byte[] bytes, int from, int length) {
        int first = place(bytes, from, length);
        if (holds(first, bytes, from, length)) {
            return value(first);
        }
        int second = first ^ 1;
        return holds(second, bytes, from, length) ? value(second) : make(first, bytes, from, length);
    }

    /** The ends of addresses, jobs, programs and numbers are what tells them apart. */
    private static int place(byte[] bytes, int from, int length) {
        long end = length;
        for (int i = Math.max(from, from + length - 8); i < from + length; i++) {
            end = end << 8 ^ bytes[i];
        }
        return (int) (end * SPREAD >>> Long.SIZE - 14);
    }

    private boolean holds(int place, byte[] bytes, int from, int length) {
        byte[] key = keys[place];
        return key != null && Arrays.equals(key, 0, key.length, bytes, from, from + length);
    }

    @SuppressWarnings("unchecked") // only values of this type are stored
    private T value(int place) {
        return (T) values[place];
    }

    private T make(int place, byte[] bytes, int from, int length) {
        T value = decode.from(bytes, from, length);
        keys[place ^ 1] = keys[place];
        values[place ^ 1] = values[place];
        keys[place] = Arrays.copyOfRange(bytes, from, from + length);
        values[place] = value;
        return value;
    }
}
