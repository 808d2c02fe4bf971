package org.prismpool.payout.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Finds bytes that can't stand for themselves inside a JSON string, eight at a time. */
final class Ascii {

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGH = 0x8080_8080_8080_8080L;
    private static final long SPACES = ONES * 0x20;
    private static final long QUOTES = ONES * '"';
    private static final long BACKSLASHES = ONES * '\\';

    private Ascii() {}

    /** Returns the index of the first quote, backslash, control or non-ASCII byte in a range, or its end. */
    static int firstSpecial(byte[] bytes, int from, int to) {
        int at = from;
        while (at + 8 <= to) {
            long word = (long) LONG.get(bytes, at);
            long special = specials(word);
            if (special != 0) {
                return at + (Long.numberOfTrailingZeros(special) >>> 3);
            }
            at += 8;
        }
        while (at < to) {
            int b = bytes[at];
            if (b < 0x20 || b == '"' || b == '\\') {
                return at;
            }
            at++;
        }
        return to;
    }

    /** Mixes a range into a hash, eight bytes at a time. */
    static int hash(byte[] bytes, int from, int to) {
        long hash = (long) to - from;
        int at = from;
        while (at + 8 <= to) {
            hash = (hash ^ (long) LONG.get(bytes, at)) * 0x9e37_79b9_7f4a_7c15L;
            hash ^= hash >>> 32;
            at += 8;
        }
        while (at < to) {
            hash = (hash ^ bytes[at++]) * 0x9e37_79b9_7f4a_7c15L;
        }
        return (int) (hash ^ (hash >>> 29));
    }

    // The lowest marked byte is always right; bytes above it may be marked falsely by a borrow.
    private static long specials(long word) {
        long control = word - SPACES;
        long quote = word ^ QUOTES;
        long backslash = word ^ BACKSLASHES;
        return (control | word | ((quote - ONES) & ~quote) | ((backslash - ONES) & ~backslash)) & HIGH;
    }
}
