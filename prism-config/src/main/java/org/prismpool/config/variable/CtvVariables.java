package org.prismpool.config.variable;

import static org.prismpool.config.variable.NumberParsers.int32;
import static org.prismpool.config.variable.NumberParsers.int64;
import static org.prismpool.config.variable.NumberParsers.seconds;
import static org.prismpool.config.variable.TextParsers.bool;
import static org.prismpool.config.variable.TextParsers.text;
import static org.prismpool.config.variable.Variable.named;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.NumberParsers.Floor;

/** Variables of the area "CTV settlement and broadcaster", in documented order. Source: spec 01 §1. */
public final class CtvVariables {

    /** Pay small recipients through CTV fan-out transactions. */
    public static final Variable<Boolean> CTV_SETTLEMENT_ENABLED = named("PRISM_CTV_SETTLEMENT_ENABLED", bool())
            .byDefault("0")
            .owner("payout (CTV)")
            .doc("Pay small recipients through CTV fan-out transactions.");

    /** Legacy alias. */
    public static final Variable<Long> DIRECT_COINBASE_PAYOUT_FLOOR_SATS = named(
                    "PRISM_DIRECT_COINBASE_PAYOUT_FLOOR_SATS", int64(1L, Long.MAX_VALUE, "bits"))
            .byDefault("10485760")
            .onlyWith(CtvVariables::hasSettlement)
            .owner("payout (CTV)")
            .doc("Legacy alias.");

    /** Recipients at or above this are paid directly in the coinbase. */
    public static final Variable<Long> DIRECT_COINBASE_PAYOUT_FLOOR_BITS = named(
                    "PRISM_DIRECT_COINBASE_PAYOUT_FLOOR_BITS", int64(1L, Long.MAX_VALUE, "bits"))
            .emptyIsUnset()
            .alias(DIRECT_COINBASE_PAYOUT_FLOOR_SATS)
            .packaged("10485760")
            .onlyWith(CtvVariables::hasSettlement)
            .owner("payout (CTV)")
            .doc("Recipients at or above this are paid directly in the coinbase.");

    /** Coinbase outputs kept free. */
    public static final Variable<Integer> RESERVED_COINBASE_OUTPUTS = named(
                    "PRISM_RESERVED_COINBASE_OUTPUTS", int32(0, Integer.MAX_VALUE, ""))
            .byDefault("0")
            .onlyWith(CtvVariables::hasSettlement)
            .owner("payout (CTV)")
            .doc("Coinbase outputs kept free.");

    /** Maximum settlement outputs in the coinbase. */
    public static final Variable<Integer> MAX_COINBASE_SETTLEMENT_OUTPUTS = named(
                    "PRISM_MAX_COINBASE_SETTLEMENT_OUTPUTS", int32(1, Integer.MAX_VALUE, ""))
            .byDefault("16")
            .onlyWith(CtvVariables::hasSettlement)
            .owner("payout (CTV)")
            .doc("Maximum settlement outputs in the coinbase.");

    /** Maximum direct outputs in the coinbase. */
    public static final Variable<Integer> MAX_DIRECT_COINBASE_OUTPUTS = named(
                    "PRISM_MAX_DIRECT_COINBASE_OUTPUTS", int32(1, Integer.MAX_VALUE, ""))
            .byDefault("12")
            .onlyWith(CtvVariables::hasSettlement)
            .owner("payout (CTV)")
            .doc("Maximum direct outputs in the coinbase.");

    /** Chunk size of one fan-out transaction. */
    public static final Variable<Integer> MAX_CTV_FANOUT_RECIPIENTS_PER_TRANSACTION = named(
                    "PRISM_MAX_CTV_FANOUT_RECIPIENTS_PER_TRANSACTION", int32(1, Integer.MAX_VALUE, ""))
            .byDefault("1000")
            .onlyWith(CtvVariables::hasSettlement)
            .owner("payout (CTV)")
            .doc("Chunk size of one fan-out transaction.");

    /** Legacy alias. */
    public static final Variable<Long> CTV_FANOUT_FEE_MARKET_RATE_SATS_PER_1000_WEIGHT = named(
                    "PRISM_CTV_FANOUT_FEE_MARKET_RATE_SATS_PER_1000_WEIGHT",
                    int64(1L, Long.MAX_VALUE, "bits per 1000 weight"))
            .emptyIsUnset()
            .onlyWith(CtvVariables::hasSettlement)
            .owner("payout (CTV)")
            .doc("Legacy alias.");

    /** Fixed market fee rate. */
    public static final Variable<Long> CTV_FANOUT_FEE_MARKET_RATE_BITS_PER_1000_WEIGHT = named(
                    "PRISM_CTV_FANOUT_FEE_MARKET_RATE_BITS_PER_1000_WEIGHT",
                    int64(1L, Long.MAX_VALUE, "bits per 1000 weight"))
            .emptyIsUnset()
            .alias(CTV_FANOUT_FEE_MARKET_RATE_SATS_PER_1000_WEIGHT)
            .onlyWith(CtvVariables::hasSettlement)
            .owner("payout (CTV)")
            .doc("Fixed market fee rate. Mainnet with CTV on: this exact name required (the alias does not count).");

    /** Confirmation target of the estimate. */
    public static final Variable<Integer> CTV_FANOUT_FEE_ESTIMATE_TARGET_BLOCKS = named(
                    "PRISM_CTV_FANOUT_FEE_ESTIMATE_TARGET_BLOCKS", int32(1, Integer.MAX_VALUE, "blocks"))
            .byDefault("2")
            .onlyWith(CtvVariables::hasSettlement)
            .owner("payout (CTV)")
            .doc("Confirmation target of the estimate.");

    /** Multiplier on the market rate (12000 = 1.2×). */
    public static final Variable<Integer> CTV_FANOUT_FEE_PREMIUM_BPS = named(
                    "PRISM_CTV_FANOUT_FEE_PREMIUM_BPS", int32(1, Integer.MAX_VALUE, "basis points"))
            .byDefault("12000")
            .onlyWith(CtvVariables::hasSettlement)
            .owner("payout (CTV)")
            .doc("Multiplier on the market rate (12000 = 1.2×).");

    /** Run the fan-out broadcaster loop. */
    public static final Variable<Boolean> CTV_BROADCASTER_ENABLED = named("PRISM_CTV_BROADCASTER_ENABLED", bool())
            .emptyIsUnset()
            .derived(
                    "= PRISM_CTV_SETTLEMENT_ENABLED",
                    e -> Optional.of(e.get(CTV_SETTLEMENT_ENABLED)),
                    CTV_SETTLEMENT_ENABLED)
            .owner("payout (CTV)")
            .doc("Run the fan-out broadcaster loop.");

    /** Node wallet that funds CPFP children. */
    public static final Variable<String> CTV_BROADCASTER_WALLET = named("PRISM_CTV_BROADCASTER_WALLET", text())
            .emptyIsUnset()
            .owner("payout (CTV)")
            .doc("Node wallet that funds CPFP children; required when broadcaster on and fee > 0.");

    /** Legacy alias. */
    public static final Variable<Long> CTV_BROADCASTER_FEE_SATS = named(
                    "PRISM_CTV_BROADCASTER_FEE_SATS", int64(0L, Long.MAX_VALUE, "bits"))
            .byDefault("0")
            .owner("payout (CTV)")
            .doc("Legacy alias.");

    /** CPFP child fee. */
    public static final Variable<Long> CTV_BROADCASTER_FEE_BITS = named(
                    "PRISM_CTV_BROADCASTER_FEE_BITS", int64(0L, Long.MAX_VALUE, "bits"))
            .emptyIsUnset()
            .alias(CTV_BROADCASTER_FEE_SATS)
            .packaged("0")
            .owner("payout (CTV)")
            .doc("CPFP child fee; 0 = broadcast the parent alone.");

    /** Fan-outs examined per pass. */
    public static final Variable<Integer> CTV_BROADCASTER_LIMIT = named(
                    "PRISM_CTV_BROADCASTER_LIMIT", int32(1, Integer.MAX_VALUE, ""))
            .byDefault("100")
            .owner("payout (CTV)")
            .doc("Fan-outs examined per pass.");

    /** Fan-outs processed between two yield points of a pass (a pending tip refresh may stop the pass there. */
    public static final Variable<Integer> CTV_BROADCASTER_CHUNK_SIZE = named(
                    "PRISM_CTV_BROADCASTER_CHUNK_SIZE", int32(1, 10, ""))
            .byDefault("5")
            .owner("payout (CTV)")
            .doc(
                    "Fan-outs processed between two yield points of a pass (a pending tip refresh may stop the pass there; no ledger transaction is held across chunks).");

    /** Pause between passes. */
    public static final Variable<Duration> CTV_BROADCASTER_INTERVAL_SECONDS = named(
                    "PRISM_CTV_BROADCASTER_INTERVAL_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("30")
            .owner("payout (CTV)")
            .doc("Pause between passes.");

    /** Standalone broadcaster only: one pass, then exit 0. */
    public static final Variable<Boolean> CTV_BROADCASTER_ONCE = named("PRISM_CTV_BROADCASTER_ONCE", bool())
            .byDefault("0")
            .owner("app (CLI)")
            .doc("Standalone broadcaster only: one pass, then exit 0. Not read by the coordinator.");

    /** Attempt details kept per fan-out (totals are kept regardless). */
    public static final Variable<Integer> CTV_BROADCAST_ATTEMPT_DETAIL_LIMIT = named(
                    "PRISM_CTV_BROADCAST_ATTEMPT_DETAIL_LIMIT", int32(0, Integer.MAX_VALUE, ""))
            .byDefault("20")
            .owner("payout (CTV)")
            .doc("Attempt details kept per fan-out (totals are kept regardless).");

    /** Persistent back-off after a failed attempt. */
    public static final Variable<Integer> CTV_BROADCAST_RETRY_BACKOFF_SECONDS = named(
                    "PRISM_CTV_BROADCAST_RETRY_BACKOFF_SECONDS", int32(0, Integer.MAX_VALUE, "seconds"))
            .byDefault("300")
            .owner("payout (CTV)")
            .doc("Persistent back-off after a failed attempt.");

    /** Confirmations before a fanout is stored as confirmed. */
    public static final Variable<Integer> CTV_FANOUT_CONFIRMATION_DEPTH = named(
                    "PRISM_CTV_FANOUT_CONFIRMATION_DEPTH", int32(1, 1000, "blocks"))
            .byDefault("10")
            .owner("payout (CTV)")
            .doc("Confirmations before a fanout is stored as confirmed.");

    private CtvVariables() {}

    private static boolean hasSettlement(Environment e) {
        return e.find(CTV_SETTLEMENT_ENABLED).orElse(false);
    }

    /**
     * Returns the group for the registry.
     *
     * @return the variables in documented order
     */
    public static VariableRegistry.Group group() {
        return new VariableRegistry.Group(
                "CTV settlement and broadcaster",
                List.of(
                        CTV_SETTLEMENT_ENABLED,
                        DIRECT_COINBASE_PAYOUT_FLOOR_BITS,
                        DIRECT_COINBASE_PAYOUT_FLOOR_SATS,
                        RESERVED_COINBASE_OUTPUTS,
                        MAX_COINBASE_SETTLEMENT_OUTPUTS,
                        MAX_DIRECT_COINBASE_OUTPUTS,
                        MAX_CTV_FANOUT_RECIPIENTS_PER_TRANSACTION,
                        CTV_FANOUT_FEE_MARKET_RATE_BITS_PER_1000_WEIGHT,
                        CTV_FANOUT_FEE_MARKET_RATE_SATS_PER_1000_WEIGHT,
                        CTV_FANOUT_FEE_ESTIMATE_TARGET_BLOCKS,
                        CTV_FANOUT_FEE_PREMIUM_BPS,
                        CTV_BROADCASTER_ENABLED,
                        CTV_BROADCASTER_WALLET,
                        CTV_BROADCASTER_FEE_BITS,
                        CTV_BROADCASTER_FEE_SATS,
                        CTV_BROADCASTER_LIMIT,
                        CTV_BROADCASTER_CHUNK_SIZE,
                        CTV_BROADCASTER_INTERVAL_SECONDS,
                        CTV_BROADCASTER_ONCE,
                        CTV_BROADCAST_ATTEMPT_DETAIL_LIMIT,
                        CTV_BROADCAST_RETRY_BACKOFF_SECONDS,
                        CTV_FANOUT_CONFIRMATION_DEPTH));
    }
}
