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
        BigInteger total = U128.ofUnsigned(totalSats).toBigInteger();
        BigInteger divisor = sum.toBigInteger();
        int count = weights.size();
        long[] amounts = new long[count];
        Remainder[] remainders = new Remainder[count];
        long allocated = 0;
        for (int i = 0; i < count; i++) {
            BigInteger product = total.multiply(weights.get(i).toBigInteger());
            if (product.bitLength() > PRODUCT_BITS) {
                throw new ArithmeticException("product of total and weight exceeds 128 bits");
            }
            BigInteger[] division = product.divideAndRemainder(divisor);
            amounts[i] = division[0].longValue();
            allocated += amounts[i];
            remainders[i] = new Remainder(i, ranks[i], division[1]);
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

    private record Remainder(int index, int rank, BigInteger value) implements Comparable<Remainder> {

        @Override
        public int compareTo(Remainder other) {
            int largest = other.value.compareTo(value);
            return largest != 0 ? largest : Integer.compare(rank, other.rank);
        }
    }
}
