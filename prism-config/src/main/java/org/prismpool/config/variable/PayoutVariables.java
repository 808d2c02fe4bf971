package org.prismpool.config.variable;

import static org.prismpool.config.variable.NumberParsers.int32;
import static org.prismpool.config.variable.NumberParsers.int64;
import static org.prismpool.config.variable.NumberParsers.seconds;
import static org.prismpool.config.variable.TextParsers.bool;
import static org.prismpool.config.variable.TextParsers.hex32;
import static org.prismpool.config.variable.TextParsers.oneOf;
import static org.prismpool.config.variable.TextParsers.text;
import static org.prismpool.config.variable.Variable.named;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.prismpool.config.variable.NumberParsers.Floor;

/** Variables of the area "Payout policy, payout artifact, pool fee", in documented order. Source: spec 01 §1. */
public final class PayoutVariables {

    /** Dust formula: cost of spending one P2MR output. */
    public static final Variable<Integer> PAYOUT_P2MR_SPEND_INPUT_BYTES = named(
                    "PRISM_PAYOUT_P2MR_SPEND_INPUT_BYTES", int32(1, Integer.MAX_VALUE, "bytes"))
            .byDefault("3680")
            .owner("payout")
            .doc("Dust formula: cost of spending one P2MR output.");

    /** Legacy alias of the previous row. */
    public static final Variable<Long> PAYOUT_TARGET_FEERATE_SATS_PER_BYTE = named(
                    "PRISM_PAYOUT_TARGET_FEERATE_SATS_PER_BYTE", int64(1L, Long.MAX_VALUE, "bits per byte"))
            .byDefault("1")
            .owner("payout")
            .doc("Legacy alias of the previous row.");

    /** Dust formula fee rate. */
    public static final Variable<Long> PAYOUT_TARGET_FEERATE_BITS_PER_BYTE = named(
                    "PRISM_PAYOUT_TARGET_FEERATE_BITS_PER_BYTE", int64(1L, Long.MAX_VALUE, "bits per byte"))
            .emptyIsUnset()
            .alias(PAYOUT_TARGET_FEERATE_SATS_PER_BYTE)
            .packaged("1")
            .owner("payout")
            .doc("Dust formula fee rate. Wins over the alias when non-empty.");

    /** Dust formula multiplier. */
    public static final Variable<Integer> PAYOUT_SAFETY_MULTIPLIER = named(
                    "PRISM_PAYOUT_SAFETY_MULTIPLIER", int32(1, Integer.MAX_VALUE, ""))
            .byDefault("4")
            .owner("payout")
            .doc("Dust formula multiplier.");

    /** Legacy alias of the previous row. */
    public static final Variable<Long> PAYOUT_MIN_OUTPUT_SATS = named(
                    "PRISM_PAYOUT_MIN_OUTPUT_SATS", int64(1L, Long.MAX_VALUE, "bits"))
            .emptyIsUnset()
            .owner("payout; app (public API)")
            .doc("Legacy alias of the previous row.");

    /** Absolute payout floor, replaces the formula. */
    public static final Variable<Long> PAYOUT_MIN_OUTPUT_BITS = named(
                    "PRISM_PAYOUT_MIN_OUTPUT_BITS", int64(1L, Long.MAX_VALUE, "bits"))
            .emptyIsUnset()
            .alias(PAYOUT_MIN_OUTPUT_SATS)
            .owner("payout; app (public API)")
            .doc("Absolute payout floor, replaces the formula. Also shown by the public API.");

    /** Reuse one exact payout window over several generations. */
    public static final Variable<Boolean> PAYOUT_ARTIFACT_REUSE = named("PRISM_PAYOUT_ARTIFACT_REUSE", bool())
            .byDefault("1")
            .owner("payout")
            .doc("Reuse one exact payout window over several generations.");

    /** Minimum spacing of speculative rebuilds (back-off factor capped at 16). */
    public static final Variable<Duration> PAYOUT_ARTIFACT_REARM_MIN_SECONDS = named(
                    "PRISM_PAYOUT_ARTIFACT_REARM_MIN_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("5")
            .owner("payout")
            .doc("Minimum spacing of speculative rebuilds (back-off factor capped at 16).");

    /** How long an armed artifact serves new reuse decisions, from its install time. */
    public static final Variable<Duration> PAYOUT_ARTIFACT_REANCHOR_SECONDS = named(
                    "PRISM_PAYOUT_ARTIFACT_REANCHOR_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("60")
            .owner("payout")
            .doc("How long an armed artifact serves new reuse decisions, from its install time.");

    /** Minimum interval of routine rebuilds. */
    public static final Variable<Duration> PAYOUT_ARTIFACT_MIN_BUILD_INTERVAL_SECONDS = named(
                    "PRISM_PAYOUT_ARTIFACT_MIN_BUILD_INTERVAL_SECONDS", seconds(Floor.POSITIVE))
            .derived(
                    "= PRISM_PAYOUT_ARTIFACT_REANCHOR_SECONDS",
                    e -> Optional.of(e.get(PAYOUT_ARTIFACT_REANCHOR_SECONDS)),
                    PAYOUT_ARTIFACT_REANCHOR_SECONDS)
            .owner("payout")
            .doc("Minimum interval of routine rebuilds; found blocks bypass it.");

    /** Interval of the full-window parity rescan. */
    public static final Variable<Duration> PAYOUT_ARTIFACT_FULL_RESCAN_SECONDS = named(
                    "PRISM_PAYOUT_ARTIFACT_FULL_RESCAN_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("3600")
            .owner("payout")
            .doc("Interval of the full-window parity rescan.");

    /** Ceiling of a served window's anchor age (wall clock). */
    public static final Variable<Duration> PAYOUT_ARTIFACT_MAX_ANCHOR_AGE_SECONDS = named(
                    "PRISM_PAYOUT_ARTIFACT_MAX_ANCHOR_AGE_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("300")
            .owner("payout")
            .doc("Ceiling of a served window's anchor age (wall clock).");

    /** Job builds stop at this many landed-but-unresolved pool blocks (≥ blocks). */
    public static final Variable<Integer> ACCEPTED_PARENT_UNRESOLVED_DEPTH_MAX = named(
                    "PRISM_ACCEPTED_PARENT_UNRESOLVED_DEPTH_MAX", int32(1, Integer.MAX_VALUE, ""))
            .byDefault("8")
            .owner("payout")
            .doc("Job builds stop at this many landed-but-unresolved pool blocks (≥ blocks).");

    /** Pool fee switch. */
    public static final Variable<Boolean> POOL_FEE_ENABLED = named("PRISM_POOL_FEE_ENABLED", bool())
            .byDefault("0")
            .owner("payout")
            .doc("Pool fee switch. Off with any fee value set = error.");

    /** Fee in basis points. */
    public static final Variable<Integer> POOL_FEE_BPS = named("PRISM_POOL_FEE_BPS", int32(0, 10000, "basis points"))
            .emptyIsUnset()
            .owner("payout")
            .doc("Fee in basis points.");

    /** Fee recipient by address: recipient id = order key = the address. */
    public static final Variable<String> POOL_FEE_ADDRESS = named("PRISM_POOL_FEE_ADDRESS", text())
            .emptyIsUnset()
            .owner("payout")
            .doc("Fee recipient by address: recipient id = order key = the address.");

    /** Fee recipient by program. */
    public static final Variable<String> POOL_FEE_P2MR_PROGRAM_HEX = named("PRISM_POOL_FEE_P2MR_PROGRAM_HEX", hex32())
            .emptyIsUnset()
            .owner("payout")
            .doc("Fee recipient by program; exactly one of address/program.");

    /** Recipient id of a program recipient. */
    public static final Variable<String> POOL_FEE_RECIPIENT_ID = named("PRISM_POOL_FEE_RECIPIENT_ID", text())
            .emptyIsUnset()
            .owner("payout")
            .doc("Recipient id of a program recipient.");

    /** Canonical order key of a program recipient. */
    public static final Variable<String> POOL_FEE_ORDER_KEY = named("PRISM_POOL_FEE_ORDER_KEY", text())
            .emptyIsUnset()
            .derived("= PRISM_POOL_FEE_RECIPIENT_ID", e -> e.find(POOL_FEE_RECIPIENT_ID), POOL_FEE_RECIPIENT_ID)
            .owner("payout")
            .doc("Canonical order key of a program recipient.");

    /** Coinbase output order. */
    public static final Variable<String> COINBASE_OUTPUT_POLICY = named(
                    "PRISM_COINBASE_OUTPUT_POLICY", oneOf(true, "canonical", "pool-fee-first"))
            .byDefault("canonical")
            .emptyIsUnset()
            .owner("payout; templates (coinbase)")
            .doc("Coinbase output order. pool-fee-first needs an enabled pool fee.");

    private PayoutVariables() {}

    /**
     * Returns the group for the registry.
     *
     * @return the variables in documented order
     */
    public static VariableRegistry.Group group() {
        return new VariableRegistry.Group(
                "Payout policy, payout artifact, pool fee",
                List.of(
                        PAYOUT_P2MR_SPEND_INPUT_BYTES,
                        PAYOUT_TARGET_FEERATE_BITS_PER_BYTE,
                        PAYOUT_TARGET_FEERATE_SATS_PER_BYTE,
                        PAYOUT_SAFETY_MULTIPLIER,
                        PAYOUT_MIN_OUTPUT_BITS,
                        PAYOUT_MIN_OUTPUT_SATS,
                        PAYOUT_ARTIFACT_REUSE,
                        PAYOUT_ARTIFACT_REARM_MIN_SECONDS,
                        PAYOUT_ARTIFACT_REANCHOR_SECONDS,
                        PAYOUT_ARTIFACT_MIN_BUILD_INTERVAL_SECONDS,
                        PAYOUT_ARTIFACT_FULL_RESCAN_SECONDS,
                        PAYOUT_ARTIFACT_MAX_ANCHOR_AGE_SECONDS,
                        ACCEPTED_PARENT_UNRESOLVED_DEPTH_MAX,
                        POOL_FEE_ENABLED,
                        POOL_FEE_BPS,
                        POOL_FEE_ADDRESS,
                        POOL_FEE_P2MR_PROGRAM_HEX,
                        POOL_FEE_RECIPIENT_ID,
                        POOL_FEE_ORDER_KEY,
                        COINBASE_OUTPUT_POLICY));
    }
}
