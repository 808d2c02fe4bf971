package org.prismpool.sharewriter.postgres;

import java.math.BigInteger;
import java.nio.ByteBuffer;

/**
 * Whole numbers in the server's binary form of {@code numeric}: a count of base-10000 digits, the weight of the first,
 * sign, scale, and the digits, each 16 bits in network byte order. Trailing zero digits may be left out.
 */
final class BinaryNumeric {

    private static final int BASE = 10_000;
    private static final short POSITIVE = 0;

    private BinaryNumeric() {}

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
