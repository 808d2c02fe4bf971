package org.prismpool.payout.reward;

import java.math.BigInteger;
import java.util.Optional;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.window.PayoutRuleException;

/**
 * What the operator decides about payouts (payout specification 5.1): the smallest output worth paying, the pool fee and
 * the order of outputs.
 *
 * @param p2mrSpendInputBytes bytes that spending an output costs, unsigned 64 bits
 * @param targetFeerateSatsPerByte fee rate at which it should be worth it, unsigned 64 bits
 * @param safetyMultiplier how many times over, unsigned 64 bits
 * @param minOutputSats fixed floor that replaces the product of the three, unsigned 64 bits; empty for none
 * @param poolFeePolicy the pool fee; empty for none
 * @param coinbaseOutputPolicy order of the outputs
 */
public record PayoutPolicy(
        long p2mrSpendInputBytes,
        long targetFeerateSatsPerByte,
        long safetyMultiplier,
        Optional<Long> minOutputSats,
        Optional<PoolFeePolicy> poolFeePolicy,
        CoinbaseOutputPolicy coinbaseOutputPolicy) {

    /** The policy that applies when none is given: 3680 bytes at 1 sat, four times over; no fee. */
    public static final PayoutPolicy DAY_ONE =
            new PayoutPolicy(3680, 1, 4, Optional.empty(), Optional.empty(), CoinbaseOutputPolicy.CANONICAL);

    private static final Name SPEND_INPUT_BYTES = Name.of("p2mr_spend_input_bytes");
    private static final Name TARGET_FEERATE = Name.of("target_feerate_sats_per_byte");
    private static final Name SAFETY_MULTIPLIER = Name.of("safety_multiplier");
    private static final Name MIN_OUTPUT_SATS = Name.of("min_output_sats");
    private static final Name POOL_FEE_POLICY = Name.of("pool_fee_policy");
    private static final Name COINBASE_OUTPUT_POLICY = Name.of("coinbase_output_policy");
    private static final ObjectShape SHAPE = ObjectShape.required(
                    SPEND_INPUT_BYTES,
                    TARGET_FEERATE,
                    SAFETY_MULTIPLIER,
                    MIN_OUTPUT_SATS,
                    POOL_FEE_POLICY,
                    COINBASE_OUTPUT_POLICY)
            .except(MIN_OUTPUT_SATS, POOL_FEE_POLICY, COINBASE_OUTPUT_POLICY);

    /**
     * Returns the smallest amount that is paid.
     *
     * @return sats, unsigned 64 bits; 0 means no floor
     * @throws PayoutRuleException if a fixed floor is 0 or the product overflows
     */
    public long floorSats() {
        if (minOutputSats.isPresent()) {
            if (minOutputSats.get() == 0) {
                throw new PayoutRuleException("minimum output floor must be positive");
            }
            return minOutputSats.get();
        }
        BigInteger partial = unsigned(p2mrSpendInputBytes).multiply(unsigned(targetFeerateSatsPerByte));
        BigInteger product = partial.multiply(unsigned(safetyMultiplier));
        if (partial.bitLength() > 64 || product.bitLength() > 64) {
            throw PolicyErrors.overflow();
        }
        return product.longValue();
    }

    /**
     * Returns how the floor came about, as manifests say it.
     *
     * @return one line
     */
    public String floorFormula() {
        return minOutputSats.isPresent()
                ? "configured fixed floor: " + Long.toUnsignedString(minOutputSats.get()) + " sats"
                : Long.toUnsignedString(p2mrSpendInputBytes) + " bytes/input * "
                        + Long.toUnsignedString(targetFeerateSatsPerByte) + " sat/byte * "
                        + Long.toUnsignedString(safetyMultiplier) + "x safety";
    }

    /**
     * Writes the policy as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        out.member(SPEND_INPUT_BYTES, p2mrSpendInputBytes);
        out.member(TARGET_FEERATE, targetFeerateSatsPerByte);
        out.member(SAFETY_MULTIPLIER, safetyMultiplier);
        minOutputSats.ifPresent(floor -> out.member(MIN_OUTPUT_SATS, floor.longValue()));
        poolFeePolicy.ifPresent(fee -> {
            out.name(POOL_FEE_POLICY);
            fee.write(out);
        });
        if (coinbaseOutputPolicy != CoinbaseOutputPolicy.CANONICAL) {
            out.member(COINBASE_OUTPUT_POLICY, coinbaseOutputPolicy.text());
        }
        out.endObject();
    }

    /**
     * Reads a policy.
     *
     * @param in the reader
     * @return the policy
     */
    public static PayoutPolicy read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        long bytes = 0;
        long feerate = 0;
        long multiplier = 0;
        Optional<Long> floor = Optional.empty();
        Optional<PoolFeePolicy> fee = Optional.empty();
        CoinbaseOutputPolicy output = CoinbaseOutputPolicy.CANONICAL;
        while (member.next()) {
            switch (member.name()) {
                case "p2mr_spend_input_bytes" -> bytes = in.unsigned64();
                case "target_feerate_sats_per_byte" -> feerate = in.unsigned64();
                case "safety_multiplier" -> multiplier = in.unsigned64();
                case "min_output_sats" -> floor = in.optional(in::unsigned64);
                case "pool_fee_policy" -> fee = in.optional(() -> PoolFeePolicy.read(in));
                default -> output = CoinbaseOutputPolicy.read(in);
            }
        }
        return new PayoutPolicy(bytes, feerate, multiplier, floor, fee, output);
    }

    private static BigInteger unsigned(long value) {
        return U128.ofUnsigned(value).toBigInteger();
    }
}
