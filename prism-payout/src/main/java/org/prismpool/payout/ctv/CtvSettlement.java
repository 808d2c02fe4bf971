package org.prismpool.payout.ctv;

import java.util.Optional;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;

/**
 * The settlement input of a build; its presence selects CTV settlement (settlement specification 4).
 *
 * @param directFloorSats smallest amount that is paid in the coinbase itself, unsigned 64 bits
 * @param config limits of coinbase and fanouts
 * @param fanoutFeeRatePolicy rate of built-in fees; empty for zero-fee fanouts with an anchor
 */
public record CtvSettlement(
        long directFloorSats, SettlementLimits config, Optional<FanoutFeePolicy> fanoutFeeRatePolicy) {

    /** The operator's default direct floor in sats. */
    public static final long DEFAULT_DIRECT_FLOOR_SATS = 10_485_760;

    private static final Name DIRECT_FLOOR_SATS = Name.of("direct_floor_sats");
    private static final Name CONFIG = Name.of("config");
    private static final Name FEE_RATE_POLICY = Name.of("fanout_fee_rate_policy");
    private static final ObjectShape SHAPE =
            ObjectShape.required(DIRECT_FLOOR_SATS, CONFIG, FEE_RATE_POLICY).except(FEE_RATE_POLICY);

    /**
     * Writes the input as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        out.member(DIRECT_FLOOR_SATS, directFloorSats);
        out.name(CONFIG);
        config.write(out);
        fanoutFeeRatePolicy.ifPresent(policy -> {
            out.name(FEE_RATE_POLICY);
            policy.write(out);
        });
        out.endObject();
    }

    /**
     * Reads an input.
     *
     * @param in the reader
     * @return the input
     */
    public static CtvSettlement read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        long floor = 0;
        SettlementLimits config = SettlementLimits.DEFAULT;
        Optional<FanoutFeePolicy> policy = Optional.empty();
        while (member.next()) {
            switch (member.name()) {
                case "direct_floor_sats" -> floor = in.unsigned64();
                case "config" -> config = SettlementLimits.read(in);
                default -> policy = in.optional(() -> FanoutFeePolicy.read(in));
            }
        }
        return new CtvSettlement(floor, config, policy);
    }
}
