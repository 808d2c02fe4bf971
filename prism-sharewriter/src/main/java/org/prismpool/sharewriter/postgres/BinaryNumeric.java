package org.prismpool.sharewriter.postgres;

import com.google.common.io.ByteArrayDataOutput;
import java.math.BigInteger;
import java.nio.ByteBuffer;

/**
 * Whole numbers in the server's binary form of {@code numeric}: a count of base-10000 digits, the weight of the first,
 * sign, scale, and the digits, each 16 bits in network byte order. Trailing zero digits may be left out.
 */
final class BinaryNumeric {

    private static final int BASE = 10_000;
    private static final int DIGITS_IN_A_LONG = 4;
    private static final BigInteger CHUNK = BigInteger.valueOf(10_000_000_000_000_000L); // four digits
    private static final int MOST_DIGITS = 20; // of 78 decimal places
    private static final short POSITIVE = 0;

    private BinaryNumeric() {}

    /** Writes a length-prefixed field; the value is not negative and has at most 78 decimal places. */
    static void write(ByteArrayDataOutput out, BigInteger value) {
        int[] digits = new int[MOST_DIGITS + DIGITS_IN_A_LONG];
        int count = 0; // digits from the lowest on
        BigInteger rest = value;
        while (rest.bitLength() > Long.SIZE - 1) {
            BigInteger[] parts = rest.divideAndRemainder(CHUNK);
            long low = parts[1].longValueExact();
            for (int i = 0; i < DIGITS_IN_A_LONG; i++, low /= BASE) {
                digits[count++] = (int) (low % BASE);
            }
            rest = parts[0];
        }
        for (long high = rest.longValueExact(); high > 0; high /= BASE) {
            digits[count++] = (int) (high % BASE);
        }
        int lowest = 0;
        while (lowest < count && digits[lowest] == 0) {
            lowest++;
        }
        out.writeInt(4 * Short.BYTES + (count - lowest) * Short.BYTES);
        out.writeShort(count - lowest);
        out.writeShort(Math.max(0, count - 1));
        out.writeShort(POSITIVE);
        out.writeShort(0); // scale
        for (int i = count - 1; i >= lowest; i--) {
            out.writeShort(digits[i]);
        }
    }

    /** Reads a field without its length. */
    static BigInteger read(ByteBuffer field) {
        int count = field.getShort();
        int weight = field.getShort();
        short sign = field.getShort();
        field.getShort();
        if (sign != POSITIVE || count > weight + 1) {
            throw new IllegalStateException("the ledger holds a difficulty that is no whole positive number");
        }
        BigInteger value = BigInteger.ZERO;
        for (int i = 0; i <= weight; i++) {
            int digit = i < count ? field.getShort() : 0;
            value = value.multiply(BigInteger.valueOf(BASE)).add(BigInteger.valueOf(digit));
        }
        return value;
    }
}
