package org.prismpool.payout.json;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * An unsigned 128-bit integer, the type of difficulties and weights in every payout document.
 *
 * <p>Immutable. Arithmetic never wraps: a result that does not fit is an {@link ArithmeticException}.
 */
public final class U128 implements Comparable<U128> {

    /** The value 0. */
    public static final U128 ZERO = new U128(0, 0);

    /** The value 1. */
    public static final U128 ONE = new U128(0, 1);

    /** The largest value, 2^128 - 1. */
    public static final U128 MAX = new U128(-1, -1);

    private static final BigInteger TWO_64 = BigInteger.ONE.shiftLeft(64);

    private final long high;
    private final long low;

    private U128(long high, long low) {
        this.high = high;
        this.low = low;
    }

    /**
     * Returns the value of two 64-bit halves.
     *
     * @param high the upper 64 bits
     * @param low the lower 64 bits
     * @return the value
     */
    public static U128 ofHalves(long high, long low) {
        if (high == 0) {
            return ofUnsigned(low);
        }
        return new U128(high, low);
    }

    /**
     * Returns the value of 64 bits read as unsigned.
     *
     * @param unsigned the 64 bits
     * @return the value
     */
    public static U128 ofUnsigned(long unsigned) {
        if (unsigned == 0) {
            return ZERO;
        }
        return unsigned == 1 ? ONE : new U128(0, unsigned);
    }

    /**
     * Returns a non-negative number as an unsigned 128-bit value.
     *
     * @param value the number
     * @return the value
     * @throws ArithmeticException if it is negative or above 2^128 - 1
     */
    public static U128 of(BigInteger value) {
        if (value.signum() < 0 || value.bitLength() > 128) {
            throw new ArithmeticException("not an unsigned 128-bit integer");
        }
        if (value.bitLength() <= Long.SIZE) {
            return ofUnsigned(value.longValue());
        }
        return ofHalves(value.shiftRight(64).longValue(), value.longValue());
    }

    /**
     * Returns the upper 64 bits.
     *
     * @return the bits
     */
    public long high() {
        return high;
    }

    /**
     * Returns the lower 64 bits.
     *
     * @return the bits
     */
    public long low() {
        return low;
    }

    /**
     * Returns whether this is 0.
     *
     * @return true for 0
     */
    public boolean isZero() {
        return (high | low) == 0;
    }

    /**
     * Returns the sum.
     *
     * @param other the other summand
     * @return this + other
     * @throws ArithmeticException if it exceeds 2^128 - 1
     */
    public U128 plus(U128 other) {
        long sumLow = low + other.low;
        long carry = Long.compareUnsigned(sumLow, low) < 0 ? 1 : 0;
        long partial = high + other.high;
        boolean overflow = Long.compareUnsigned(partial, high) < 0;
        long sumHigh = partial + carry;
        if (overflow || (carry == 1 && sumHigh == 0)) {
            throw new ArithmeticException("unsigned 128-bit sum overflowed");
        }
        return ofHalves(sumHigh, sumLow);
    }

    /**
     * Returns the difference.
     *
     * @param other the value to take away, at most this
     * @return this - other
     * @throws ArithmeticException if other is larger
     */
    public U128 minus(U128 other) {
        if (compareTo(other) < 0) {
            throw new ArithmeticException("unsigned 128-bit difference is negative");
        }
        long borrow = Long.compareUnsigned(low, other.low) < 0 ? 1 : 0;
        return ofHalves(high - other.high - borrow, low - other.low);
    }

    /**
     * Returns the product with a small factor.
     *
     * @param factor a factor of 0 or more
     * @return this × factor
     * @throws ArithmeticException if it exceeds 2^128 - 1
     */
    public U128 times(int factor) {
        if (high == 0 && low >= 0 && low <= Long.MAX_VALUE / Math.max(1, factor)) {
            return ofUnsigned(low * factor);
        }
        return of(toBigInteger().multiply(BigInteger.valueOf(factor)));
    }

    /**
     * Returns the smaller of two values.
     *
     * @param other the other value
     * @return the smaller one
     */
    public U128 min(U128 other) {
        return compareTo(other) <= 0 ? this : other;
    }

    /**
     * Returns this value as a big integer.
     *
     * @return the same number, never negative
     */
    public BigInteger toBigInteger() {
        BigInteger lower = BigInteger.valueOf(low);
        if (low < 0) {
            lower = lower.add(TWO_64);
        }
        if (high == 0) {
            return lower;
        }
        BigInteger upper = BigInteger.valueOf(high);
        if (high < 0) {
            upper = upper.add(TWO_64);
        }
        return upper.shiftLeft(64).add(lower);
    }

    @Override
    public int compareTo(U128 other) {
        int upper = Long.compareUnsigned(high, other.high);
        return upper != 0 ? upper : Long.compareUnsigned(low, other.low);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof U128 that && high == that.high && low == that.low;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(high * 31 + low);
    }

    /** Returns plain decimal digits. */
    @Override
    public String toString() {
        return high == 0 ? Long.toUnsignedString(low) : toBigInteger().toString();
    }
}
