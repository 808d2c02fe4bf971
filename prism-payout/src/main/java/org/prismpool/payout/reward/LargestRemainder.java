package org.prismpool.payout.reward;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.prismpool.payout.json.U128;

/**
 * Splits a total exactly in proportion to weights (payout specification 4): everyone gets the rounded-down share, and the
 * units left over go one each to the largest remainders, ties by the order of the list.
 */
public final class LargestRemainder {

    private static final int PRODUCT_BITS = 128;
    private static final long DIGIT = 0xffff_ffffL;

    private LargestRemainder() {}

    /**
     * Allocates a total; ties between remainders go to the earlier entry.
     *
     * @param totalSats the total, unsigned 64 bits
     * @param weights one weight for each recipient, in account order
     * @return one amount for each weight, unsigned 64 bits; their sum is the total
     * @throws ArithmeticException if the weights sum to zero or above 2^128 - 1, or a product with the total does
     */
    public static long[] allocate(long totalSats, List<U128> weights) {
        int[] ranks = new int[weights.size()];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = i;
        }
        return allocate(totalSats, weights, ranks);
    }

    /**
     * Allocates a total; ties between remainders go to the smaller rank.
     *
     * @param totalSats the total, unsigned 64 bits
     * @param weights one weight for each recipient
     * @param ranks one distinct rank for each recipient
     * @return one amount for each weight, unsigned 64 bits; their sum is the total
     * @throws ArithmeticException if the weights sum to zero or above 2^128 - 1, or a product with the total does
     */
    public static long[] allocate(long totalSats, List<U128> weights, int[] ranks) {
        U128 sum = U128.ZERO;
        for (U128 weight : weights) {
            sum = sum.plus(weight);
        }
        if (sum.isZero()) {
            throw new ArithmeticException("weights sum to zero");
        }
        int count = weights.size();
        long[] amounts = new long[count];
        Remainder[] remainders = new Remainder[count];
        long allocated = 0;
        for (int i = 0; i < count; i++) {
            remainders[i] = sum.high() == 0
                    ? narrow(totalSats, weights.get(i).low(), sum.low(), amounts, i, ranks[i])
                    : wide(totalSats, weights.get(i), sum, amounts, i, ranks[i]);
            allocated += amounts[i];
        }
        int left = (int) (totalSats - allocated);
        if (left > 0) {
            Arrays.sort(remainders);
            for (int i = 0; i < left; i++) {
                amounts[remainders[i].index()]++;
            }
        }
        return amounts;
    }

    /** Divides the product of two 64-bit numbers; the quotient fits because the weight is at most the sum. */
    private static Remainder narrow(long total, long weight, long sum, long[] amounts, int index, int rank) {
        long high = Math.multiplyHigh(total, weight) + ((total >> 63) & weight) + ((weight >> 63) & total);
        long low = total * weight;
        long quotient = high == 0 ? Long.divideUnsigned(low, sum) : quotient(high, low, sum);
        amounts[index] = quotient;
        return new Remainder(index, rank, 0, low - quotient * sum);
    }

    /**
     * Divides 128 bits by 64 (Knuth's algorithm D with digits of 32 bits).
     *
     * @param high upper half, below the divisor
     * @param low lower half
     * @param divisor the divisor, unsigned
     * @return the quotient, unsigned
     */
    private static long quotient(long high, long low, long divisor) {
        int shift = Long.numberOfLeadingZeros(divisor);
        long normalized = divisor << shift;
        long upper = shift == 0 ? high : (high << shift) | (low >>> (Long.SIZE - shift));
        long lower = low << shift;
        long first = digit(upper, lower >>> 32, normalized);
        long rest = (upper << 32) + (lower >>> 32) - first * normalized;
        long second = digit(rest, lower & DIGIT, normalized);
        return (first << 32) + second;
    }

    /** One quotient digit: of a 64-bit rest and the next digit, by a divisor whose top bit is set. */
    private static long digit(long rest, long next, long divisor) {
        long top = divisor >>> 32;
        long estimate = Long.divideUnsigned(rest, top);
        long remainder = rest - estimate * top;
        while (estimate > DIGIT || Long.compareUnsigned(estimate * (divisor & DIGIT), (remainder << 32) | next) > 0) {
            estimate--;
            remainder += top;
            if (remainder > DIGIT) {
                break;
            }
        }
        return estimate;
    }

    private static Remainder wide(long total, U128 weight, U128 sum, long[] amounts, int index, int rank) {
        BigInteger product = U128.ofUnsigned(total).toBigInteger().multiply(weight.toBigInteger());
        if (product.bitLength() > PRODUCT_BITS) {
            throw new ArithmeticException("product of total and weight exceeds 128 bits");
        }
        BigInteger[] division = product.divideAndRemainder(sum.toBigInteger());
        amounts[index] = division[0].longValue();
        U128 remainder = U128.of(division[1]);
        return new Remainder(index, rank, remainder.high(), remainder.low());
    }

    private record Remainder(int index, int rank, long high, long low) implements Comparable<Remainder> {

        @Override
        public int compareTo(Remainder other) {
            int largest = Long.compareUnsigned(other.high, high);
            if (largest == 0) {
                largest = Long.compareUnsigned(other.low, low);
            }
            return largest != 0 ? largest : Integer.compare(rank, other.rank);
        }
    }
}
