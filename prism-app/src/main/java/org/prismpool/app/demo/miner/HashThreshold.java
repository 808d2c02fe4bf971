package org.prismpool.app.demo.miner;

import java.math.BigDecimal;
import java.math.BigInteger;

/** A 256-bit target, compared with a hash as a little-endian integer; equality passes. Immutable. */
final class HashThreshold {

    private static final BigInteger DIFFICULTY_ONE = BigInteger.valueOf(0xffff).shiftLeft(208);
    private static final BigInteger LARGEST = BigInteger.ONE.shiftLeft(256).subtract(BigInteger.ONE);
    private static final int LARGEST_SCALE = 400;

    private final byte[] mostSignificantFirst;

    private HashThreshold(BigInteger value) {
        byte[] bytes = value.toByteArray();
        mostSignificantFirst = new byte[32];
        int count = Math.min(32, bytes.length);
        System.arraycopy(bytes, bytes.length - count, mostSignificantFirst, 32 - count, count);
    }

    /** Tells whether a difficulty sent by a pool can be used at all: positive and of a sane magnitude. */
    static boolean isUsable(BigDecimal difficulty) {
        return difficulty.signum() > 0
                && Math.abs(difficulty.scale()) <= LARGEST_SCALE
                && difficulty.precision() <= LARGEST_SCALE;
    }

    /** Returns floor(0xffff * 2^208 / difficulty), held in 1..2^256-1. */
    static HashThreshold ofDifficulty(BigDecimal difficulty) {
        BigInteger quotient =
                new BigDecimal(DIFFICULTY_ONE).divideToIntegralValue(difficulty).toBigInteger();
        return new HashThreshold(quotient.min(LARGEST).max(BigInteger.ONE));
    }

    /** Returns the target that compact bits stand for; a negative or too large one is never met. */
    static HashThreshold ofCompact(int bits) {
        int size = bits >>> 24;
        BigInteger mantissa = BigInteger.valueOf(bits & 0x7fffff);
        BigInteger value = size <= 3 ? mantissa.shiftRight(8 * (3 - size)) : mantissa.shiftLeft(8 * (size - 3));
        boolean valid = (bits & 0x800000) == 0 && value.bitLength() <= 256;
        return new HashThreshold(valid ? value : BigInteger.ZERO);
    }

    /** Compares a hash in digest order. */
    boolean isMetBy(byte[] hash) {
        for (int i = 0; i < 32; i++) {
            int have = hash[31 - i] & 0xff;
            int limit = mostSignificantFirst[i] & 0xff;
            if (have != limit) {
                return have < limit;
            }
        }
        return true;
    }

    BigInteger value() {
        return new BigInteger(1, mostSignificantFirst);
    }
}
