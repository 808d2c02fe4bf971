package org.prismpool.payout.json;

/** Decimal digits of non-negative numbers, written in place two at a time. */
final class Decimal {

    /** Digits of the longest number. */
    static final int MAX_DIGITS = 19;

    private static final byte[] TENS = new byte[100];
    private static final byte[] ONES = new byte[100];
    private static final long[] LIMITS = new long[MAX_DIGITS]; // the smallest number of 1, 2, 3 ... digits

    static {
        for (int i = 0; i < 100; i++) {
            TENS[i] = (byte) ('0' + i / 10);
            ONES[i] = (byte) ('0' + i % 10);
        }
        long limit = 1;
        for (int i = 1; i < MAX_DIGITS; i++) {
            limit *= 10;
            LIMITS[i] = limit;
        }
    }

    private Decimal() {}

    /** Writes the digits at an offset and returns how many there are; at most 19. */
    static int write(long value, byte[] out, int offset) {
        int length = length(value);
        int at = offset + length;
        long rest = value;
        while (rest > Integer.MAX_VALUE) {
            long quotient = rest / 100;
            int pair = (int) (rest - quotient * 100);
            rest = quotient;
            out[--at] = ONES[pair];
            out[--at] = TENS[pair];
        }
        int small = (int) rest; // narrow divisions cost a fraction of wide ones
        while (small >= 10) {
            int quotient = small / 100;
            int pair = small - quotient * 100;
            small = quotient;
            out[--at] = ONES[pair];
            out[--at] = TENS[pair];
        }
        if (at > offset) {
            out[offset] = (byte) ('0' + small);
        }
        return length;
    }

    private static int length(long value) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(value);
        int atLeast = (bits * 1233) >>> 12; // bits * log10(2), rounded down: exact or one too small
        return atLeast < MAX_DIGITS && value >= LIMITS[atLeast] ? atLeast + 1 : Math.max(1, atLeast);
    }
}
