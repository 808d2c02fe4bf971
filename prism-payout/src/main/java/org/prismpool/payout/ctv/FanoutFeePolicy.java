package org.prismpool.payout.ctv;

import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;

/**
 * The fee rate that built-in-fee fanouts pay, frozen for one block.
 *
 * @param marketFeeRateSatsPer1000Weight market rate, unsigned 64 bits
 * @param premiumBps multiple of the market rate in basis points, 10000 for one; unsigned 64 bits
 */
public record FanoutFeePolicy(long marketFeeRateSatsPer1000Weight, long premiumBps) {

    private static final Name MARKET_RATE = Name.of("market_fee_rate_sats_per_1000_weight");
    private static final Name PREMIUM_BPS = Name.of("premium_bps");
    private static final ObjectShape SHAPE = ObjectShape.required(MARKET_RATE, PREMIUM_BPS);

    /**
     * Writes the policy as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        out.member(MARKET_RATE, marketFeeRateSatsPer1000Weight);
        out.member(PREMIUM_BPS, premiumBps);
        out.endObject();
    }

    /**
     * Reads a policy.
     *
     * @param in the reader
     * @return the policy
     */
    public static FanoutFeePolicy read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        long rate = 0;
        long premium = 0;
        while (member.next()) {
            if (member.name().equals("premium_bps")) {
                premium = in.unsigned64();
            } else {
                rate = in.unsigned64();
            }
        }
        return new FanoutFeePolicy(rate, premium);
    }
}
