package org.prismpool.payout.ctv;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.templates.chain.CompactSize;

/** The built-in fee of a fanout: its size and how recipients share it (settlement specification 6). */
public final class FanoutFee {

    private static final BigInteger RATE_DIVISOR = BigInteger.valueOf(10_000_000);

    private FanoutFee() {}

    /**
     * Returns the weight of a witnessed built-in-fee fanout.
     *
     * @param recipientCount number of payout outputs, 0 or more
     * @return bytes
     */
    public static long weight(long recipientCount) {
        return 90 + CompactSize.sizeOf(recipientCount) + 43 * recipientCount;
    }

    /**
     * Returns the fee of a fanout: weight × rate × premium, rounded up.
     *
     * @param recipientCount number of payout outputs
     * @param policy the rate
     * @return sats, unsigned 64 bits
     * @throws org.prismpool.payout.window.PayoutRuleException if a factor is zero or the fee exceeds 2^64 - 1
     */
    public static long estimate(long recipientCount, FanoutFeePolicy policy) {
        if (recipientCount == 0) {
            throw CtvErrors.settlement("fanout recipient count must be positive");
        }
        if (policy.marketFeeRateSatsPer1000Weight() == 0) {
            throw CtvErrors.settlement("market_fee_rate_sats_per_1000_weight must be positive");
        }
        if (policy.premiumBps() == 0) {
            throw CtvErrors.settlement("premium_bps must be positive");
        }
        BigInteger fee = BigInteger.valueOf(weight(recipientCount))
                .multiply(CtvErrors.unsigned(policy.marketFeeRateSatsPer1000Weight()))
                .multiply(CtvErrors.unsigned(policy.premiumBps()))
                .add(RATE_DIVISOR.subtract(BigInteger.ONE))
                .divide(RATE_DIVISOR);
        if (fee.bitLength() > 64) {
            throw CtvErrors.settlement("fanout fee estimate exceeds uint64");
        }
        return fee.longValue();
    }

    /**
     * One recipient's part.
     *
     * @param identity the recipient
     * @param grossAmountSats amount before the fee
     * @param feeSats its part of the fee
     * @param netAmountSats amount after the fee
     */
    public record Share(PayoutIdentity identity, long grossAmountSats, long feeSats, long netAmountSats) {}

    /**
     * How a fee is shared.
     *
     * @param totalGrossSats sum of all gross amounts
     * @param requestedFeeSats the fee
     * @param appliedFeeSats the fee, or 0 if nobody can pay it
     * @param payable recipients that pay, account order
     * @param carriedForward recipients that the fee would push below the minimum, account order, without fee
     */
    public record Allocation(
            long totalGrossSats,
            long requestedFeeSats,
            long appliedFeeSats,
            List<Share> payable,
            List<Share> carriedForward) {

        /** Copies the lists. */
        public Allocation {
            payable = List.copyOf(payable);
            carriedForward = List.copyOf(carriedForward);
        }
    }

    /**
     * Shares a fee in proportion to amounts, largest remainders first; recipients that would fall below the minimum are taken
     * out and the others share the same fee again.
     *
     * @param recipients the recipients, in any order
     * @param feeSats the fee, unsigned 64 bits
     * @param minOutputSats smallest net amount, unsigned 64 bits, more than zero
     * @return the parts
     * @throws org.prismpool.payout.window.PayoutRuleException if the minimum is zero or the amounts overflow
     */
    public static Allocation allocate(List<SettlementRecipient> recipients, long feeSats, long minOutputSats) {
        if (minOutputSats == 0) {
            throw CtvErrors.settlement("min_output_sats must be positive");
        }
        List<SettlementRecipient> ordered = new ArrayList<>(recipients);
        ordered.sort((a, b) -> PayoutIdentity.ACCOUNT_ORDER.compare(a.identity(), b.identity()));
        long total = 0;
        for (SettlementRecipient each : ordered) {
            total = CtvErrors.addExact(
                    total, each.amountSats(), "cannot select a settlement mode: settlement amount overflowed");
        }
        boolean[] carried = new boolean[ordered.size()];
        while (true) {
            long[] fees = share(ordered, carried, feeSats);
            if (fees.length == 0) {
                Arrays.fill(carried, true);
                return allocation(ordered, carried, new long[carried.length], total, feeSats, 0);
            }
            boolean dropped = false;
            for (int i = 0; i < carried.length; i++) {
                long net = ordered.get(i).amountSats() - fees[i];
                if (!carried[i] && Long.compareUnsigned(net, minOutputSats) < 0) {
                    carried[i] = true;
                    dropped = true;
                }
            }
            if (!dropped) {
                return allocation(ordered, carried, fees, total, feeSats, feeSats);
            }
        }
    }

    /** Parts of the fee by index, 0 for carried ones; empty if the fee takes everything. */
    private static long[] share(List<SettlementRecipient> ordered, boolean[] carried, long feeSats) {
        BigInteger sum = BigInteger.ZERO;
        for (int i = 0; i < carried.length; i++) {
            if (!carried[i]) {
                sum = sum.add(CtvErrors.unsigned(ordered.get(i).amountSats()));
            }
        }
        BigInteger fee = CtvErrors.unsigned(feeSats);
        if (fee.compareTo(sum) >= 0) {
            return new long[0];
        }
        long[] fees = new long[carried.length];
        BigInteger[] remainders = new BigInteger[carried.length];
        List<Integer> byRemainder = new ArrayList<>();
        long left = feeSats;
        for (int i = 0; i < carried.length; i++) {
            if (!carried[i]) {
                BigInteger[] division = fee.multiply(
                                CtvErrors.unsigned(ordered.get(i).amountSats()))
                        .divideAndRemainder(sum);
                fees[i] = division[0].longValue();
                left -= fees[i];
                remainders[i] = division[1];
                byRemainder.add(i);
            }
        }
        byRemainder.sort((a, b) -> remainders[b].compareTo(remainders[a])); // stable: ties in account order
        for (int i = 0; i < left; i++) {
            fees[byRemainder.get(i)]++;
        }
        return fees;
    }

    private static Allocation allocation(
            List<SettlementRecipient> ordered,
            boolean[] carried,
            long[] fees,
            long total,
            long requested,
            long applied) {
        List<Share> payable = new ArrayList<>();
        List<Share> carriedForward = new ArrayList<>();
        for (int i = 0; i < carried.length; i++) {
            SettlementRecipient each = ordered.get(i);
            long gross = each.amountSats();
            long fee = carried[i] ? 0 : fees[i];
            (carried[i] ? carriedForward : payable).add(new Share(each.identity(), gross, fee, gross - fee));
        }
        return new Allocation(total, requested, applied, payable, carriedForward);
    }
}
