package org.prismpool.payout.json;

/** Decimal digits of non-negative numbers, written in place. */
final class Decimal {

    private Decimal() {}

    /** Writes the digits at an offset and returns how many there are; at most 19. */
    static int write(long value, byte[] out, int offset) {
        int length = length(value);
        int at = offset + length;
        long rest = value;
        do {
            long quotient = rest / 10;
            out[--at] = (byte) ('0' + (int) (rest - quotient * 10));
            rest = quotient;
        } while (rest != 0);
        return length;
    }

    private static int length(long value) {
        int length = 1;
        long limit = 10;
        while (length < 19 && value >= limit) {
            length++;
            limit *= 10;
        }
        return length;
    }
}
