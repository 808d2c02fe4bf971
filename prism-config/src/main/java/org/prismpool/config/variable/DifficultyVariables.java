package org.prismpool.config.variable;

import static org.prismpool.config.variable.NumberParsers.decimal;
import static org.prismpool.config.variable.NumberParsers.decimalUpTo;
import static org.prismpool.config.variable.NumberParsers.int32;
import static org.prismpool.config.variable.NumberParsers.seconds;
import static org.prismpool.config.variable.TextParsers.bool;
import static org.prismpool.config.variable.TextParsers.host;
import static org.prismpool.config.variable.TextParsers.mask;
import static org.prismpool.config.variable.Variable.named;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.NumberParsers.Floor;

/** Variables of the area "Share difficulty and vardiff", in documented order. Source: spec 01 §1. */
public final class DifficultyVariables {

    /** Bytes of extranonce2 that the miner fills. */
    public static final Variable<Integer> STRATUM_EXTRANONCE2_SIZE = named(
                    "PRISM_STRATUM_EXTRANONCE2_SIZE", int32(4, 8, "bytes"))
            .byDefault("8")
            .owner("stratum; templates (coinbase)")
            .doc(
                    "Bytes of extranonce2 that the miner fills; announced in mining.subscribe; the coinbase scriptSig (height + tag ≤ 40 + extranonce1 4 + extranonce2) must stay ≤ 100 bytes.");

    /** Fixed share difficulty when vardiff is off. */
    public static final Variable<BigDecimal> STRATUM_SHARE_DIFF = named(
                    "PRISM_STRATUM_SHARE_DIFF", decimal(Floor.POSITIVE, ""))
            .byDefault("0.000000001")
            .owner("stratum")
            .doc(
                    "Fixed share difficulty when vardiff is off; also the default of VARDIFF_MIN_DIFF and VARDIFF_START_DIFF. Production: explicit, not 1e-9.");

    /** Per-connection variable difficulty on/off (all listeners). */
    public static final Variable<Boolean> STRATUM_VARDIFF = named("PRISM_STRATUM_VARDIFF", bool())
            .byDefault("1")
            .owner("stratum (vardiff)")
            .doc("Per-connection variable difficulty on/off (all listeners).");

    /** Wanted seconds between accepted shares. */
    public static final Variable<BigDecimal> STRATUM_VARDIFF_TARGET_SECONDS = named(
                    "PRISM_STRATUM_VARDIFF_TARGET_SECONDS", decimal(Floor.POSITIVE, "s"))
            .byDefault("15")
            .owner("stratum (vardiff)")
            .doc("Wanted seconds between accepted shares.");

    /** Lower difficulty bound. */
    public static final Variable<BigDecimal> STRATUM_VARDIFF_MIN_DIFF = named(
                    "PRISM_STRATUM_VARDIFF_MIN_DIFF", decimal(Floor.POSITIVE, ""))
            .derived("= PRISM_STRATUM_SHARE_DIFF", e -> Optional.of(e.get(STRATUM_SHARE_DIFF)), STRATUM_SHARE_DIFF)
            .packaged("0.000000001")
            .owner("stratum (vardiff)")
            .doc("Lower difficulty bound. Production: explicit, not 1e-9.");

    /** First difficulty of a connection. */
    public static final Variable<BigDecimal> STRATUM_VARDIFF_START_DIFF = named(
                    "PRISM_STRATUM_VARDIFF_START_DIFF", decimal(Floor.POSITIVE, ""))
            .derived("= PRISM_STRATUM_SHARE_DIFF", e -> Optional.of(e.get(STRATUM_SHARE_DIFF)), STRATUM_SHARE_DIFF)
            .packaged("0.000000001")
            .owner("stratum (vardiff)")
            .doc("First difficulty of a connection. Production: explicit, not 1e-9.");

    /** Upper difficulty bound. */
    public static final Variable<BigDecimal> STRATUM_VARDIFF_MAX_DIFF = named(
                    "PRISM_STRATUM_VARDIFF_MAX_DIFF", decimal(Floor.POSITIVE, ""))
            .byDefault("1024")
            .owner("stratum (vardiff)")
            .doc("Upper difficulty bound. Production: explicit, not 1e-9.");

    /** Length of a share window before a retarget is considered. */
    public static final Variable<BigDecimal> STRATUM_VARDIFF_RETARGET_SECONDS = named(
                    "PRISM_STRATUM_VARDIFF_RETARGET_SECONDS", decimal(Floor.POSITIVE, "s"))
            .byDefault("90")
            .owner("stratum (vardiff)")
            .doc("Length of a share window before a retarget is considered.");

    /** Largest multiplication in one retarget. */
    public static final Variable<BigDecimal> STRATUM_VARDIFF_MAX_STEP_UP = named(
                    "PRISM_STRATUM_VARDIFF_MAX_STEP_UP", decimal(Floor.AT_LEAST_ONE, "factor"))
            .byDefault("4")
            .owner("stratum (vardiff)")
            .doc("Largest multiplication in one retarget.");

    /** Largest division in one retarget (also the zero-share step). */
    public static final Variable<BigDecimal> STRATUM_VARDIFF_MAX_STEP_DOWN = named(
                    "PRISM_STRATUM_VARDIFF_MAX_STEP_DOWN", decimal(Floor.AT_LEAST_ONE, "factor"))
            .byDefault("4")
            .owner("stratum (vardiff)")
            .doc("Largest division in one retarget (also the zero-share step).");

    /** Smoothing weight of the newest observation. */
    public static final Variable<BigDecimal> STRATUM_VARDIFF_EWMA_ALPHA = named(
                    "PRISM_STRATUM_VARDIFF_EWMA_ALPHA", decimalUpTo(Floor.POSITIVE, BigDecimal.ONE))
            .byDefault("0.4")
            .owner("stratum (vardiff)")
            .doc("Smoothing weight of the newest observation.");

    /** Minimum relative change |new−old|/old that is applied. */
    public static final Variable<BigDecimal> STRATUM_VARDIFF_RETARGET_TOLERANCE = named(
                    "PRISM_STRATUM_VARDIFF_RETARGET_TOLERANCE", decimal(Floor.POSITIVE, ""))
            .byDefault("0.25")
            .owner("stratum (vardiff)")
            .doc("Minimum relative change |new−old|/old that is applied.");

    /** Cadence of the sweep that steps idle connections down. */
    public static final Variable<Duration> STRATUM_VARDIFF_IDLE_SWEEP_SECONDS = named(
                    "PRISM_STRATUM_VARDIFF_IDLE_SWEEP_SECONDS", seconds(Floor.NON_NEGATIVE))
            .byDefault("15")
            .owner("stratum (vardiff)")
            .doc("Cadence of the sweep that steps idle connections down.");

    /** Enables the second listener. */
    public static final Variable<Integer> STRATUM_HIGHDIFF_PORT = named(
                    "PRISM_STRATUM_HIGHDIFF_PORT", int32(1, 65535, "port"))
            .emptyIsUnset()
            .owner("stratum; app (public API)")
            .doc("Enables the second listener; conventionally 4334. Read by the public API too.");

    /** Bind address of the high-diff listener. */
    public static final Variable<String> STRATUM_HIGHDIFF_BIND = named("PRISM_STRATUM_HIGHDIFF_BIND", host())
            .emptyIsUnset()
            .derived(
                    "= PRISM_STRATUM_BIND",
                    e -> Optional.of(e.get(StratumVariables.STRATUM_BIND)),
                    StratumVariables.STRATUM_BIND)
            .onlyWith(DifficultyVariables::hasHighDifficultyPort)
            .owner("stratum")
            .doc("Bind address of the high-diff listener.");

    /** Floor never advertised below, even when the network difficulty is lower. */
    public static final Variable<BigDecimal> STRATUM_HIGHDIFF_MIN_DIFF = named(
                    "PRISM_STRATUM_HIGHDIFF_MIN_DIFF", decimal(Floor.POSITIVE, ""))
            .byDefault("500000")
            .onlyWith(DifficultyVariables::hasHighDifficultyPort)
            .owner("stratum")
            .doc("Floor never advertised below, even when the network difficulty is lower.");

    /** First advertised difficulty. */
    public static final Variable<BigDecimal> STRATUM_HIGHDIFF_START_DIFF = named(
                    "PRISM_STRATUM_HIGHDIFF_START_DIFF", decimal(Floor.POSITIVE, ""))
            .byDefault("500000")
            .onlyWith(DifficultyVariables::hasHighDifficultyPort)
            .owner("stratum")
            .doc("First advertised difficulty.");

    /** Ceiling. */
    public static final Variable<BigDecimal> STRATUM_HIGHDIFF_MAX_DIFF = named(
                    "PRISM_STRATUM_HIGHDIFF_MAX_DIFF", decimal(Floor.POSITIVE, ""))
            .byDefault("4294967296")
            .onlyWith(DifficultyVariables::hasHighDifficultyPort)
            .owner("stratum")
            .doc("Ceiling.");

    /** Fixed difficulty of this listener when vardiff is off. */
    public static final Variable<BigDecimal> STRATUM_HIGHDIFF_SHARE_DIFF = named(
                    "PRISM_STRATUM_HIGHDIFF_SHARE_DIFF", decimal(Floor.POSITIVE, ""))
            .emptyIsUnset()
            .derived(
                    "= PRISM_STRATUM_HIGHDIFF_START_DIFF",
                    e -> Optional.of(e.get(STRATUM_HIGHDIFF_START_DIFF)),
                    STRATUM_HIGHDIFF_START_DIFF)
            .onlyWith(DifficultyVariables::hasHighDifficultyPort)
            .owner("stratum")
            .doc("Fixed difficulty of this listener when vardiff is off.");

    /** Compatibility default weight. */
    public static final Variable<Integer> STRATUM_SHARE_WEIGHT = named(
                    "PRISM_STRATUM_SHARE_WEIGHT", int32(1, Integer.MAX_VALUE, ""))
            .byDefault("1")
            .owner("stratum")
            .doc("Compatibility default weight. Only per-name weights of the next row change the credited difficulty.");

    /** Overrides the credited difficulty of a user name (or payout address): the weight is the credited scaled difficulty. */
    public static final Variable<Map<String, BigInteger>> STRATUM_SHARE_WEIGHTS_JSON = named(
                    "PRISM_STRATUM_SHARE_WEIGHTS_JSON", WeightsParser.weights())
            .emptyIsUnset()
            .owner("stratum")
            .doc(
                    "Overrides the credited difficulty of a user name (or payout address): the weight is the credited scaled difficulty. Lab/test instrument.");

    /** Mask used only if the node's template has no versionrollingmask or the probe fails. */
    public static final Variable<Integer> VERSION_ROLLING_MASK = named("PRISM_VERSION_ROLLING_MASK", mask())
            .byDefault("1fffe000")
            .owner("stratum")
            .doc("Mask used only if the node's template has no versionrollingmask or the probe fails.");

    /** Remember difficulties across reconnects. */
    public static final Variable<Boolean> STRATUM_VARDIFF_RESUME = named("PRISM_STRATUM_VARDIFF_RESUME", bool())
            .byDefault("1")
            .owner("stratum (vardiff)")
            .doc("Remember difficulties across reconnects.");

    /** Age limit of a remembered difficulty. */
    public static final Variable<Duration> STRATUM_VARDIFF_RESUME_TTL_SECONDS = named(
                    "PRISM_STRATUM_VARDIFF_RESUME_TTL_SECONDS", seconds(Floor.NON_NEGATIVE))
            .byDefault("900")
            .owner("stratum (vardiff)")
            .doc("Age limit of a remembered difficulty; 0 = off.");

    /** Bound of remembered difficulties, least recently used out. */
    public static final Variable<Integer> STRATUM_VARDIFF_RESUME_MAX_ENTRIES = named(
                    "PRISM_STRATUM_VARDIFF_RESUME_MAX_ENTRIES", int32(0, Integer.MAX_VALUE, ""))
            .byDefault("8192")
            .owner("stratum (vardiff)")
            .doc("Bound of remembered difficulties, least recently used out; 0 = off.");

    /** Cap of an adopted value, relative to the start difficulty. */
    public static final Variable<BigDecimal> STRATUM_VARDIFF_RESUME_MAX_START_FACTOR = named(
                    "PRISM_STRATUM_VARDIFF_RESUME_MAX_START_FACTOR", decimal(Floor.AT_LEAST_ONE, "factor"))
            .byDefault("1024")
            .owner("stratum (vardiff)")
            .doc("Cap of an adopted value, relative to the start difficulty.");

    /** Desired difficulties of 1 and more are rounded down to integers. */
    public static final Variable<Boolean> STRATUM_INTEGRAL_DIFFICULTY = named(
                    "PRISM_STRATUM_INTEGRAL_DIFFICULTY", bool())
            .byDefault("1")
            .owner("stratum")
            .doc("Desired difficulties of 1 and more are rounded down to integers.");

    private DifficultyVariables() {}

    private static boolean hasHighDifficultyPort(Environment e) {
        return e.find(STRATUM_HIGHDIFF_PORT).isPresent();
    }

    /**
     * Returns the group for the registry.
     *
     * @return the variables in documented order
     */
    public static VariableRegistry.Group group() {
        return new VariableRegistry.Group(
                "Share difficulty and vardiff",
                List.of(
                        STRATUM_EXTRANONCE2_SIZE,
                        STRATUM_SHARE_DIFF,
                        STRATUM_VARDIFF,
                        STRATUM_VARDIFF_TARGET_SECONDS,
                        STRATUM_VARDIFF_MIN_DIFF,
                        STRATUM_VARDIFF_START_DIFF,
                        STRATUM_VARDIFF_MAX_DIFF,
                        STRATUM_VARDIFF_RETARGET_SECONDS,
                        STRATUM_VARDIFF_MAX_STEP_UP,
                        STRATUM_VARDIFF_MAX_STEP_DOWN,
                        STRATUM_VARDIFF_EWMA_ALPHA,
                        STRATUM_VARDIFF_RETARGET_TOLERANCE,
                        STRATUM_VARDIFF_IDLE_SWEEP_SECONDS,
                        STRATUM_HIGHDIFF_PORT,
                        STRATUM_HIGHDIFF_BIND,
                        STRATUM_HIGHDIFF_MIN_DIFF,
                        STRATUM_HIGHDIFF_START_DIFF,
                        STRATUM_HIGHDIFF_MAX_DIFF,
                        STRATUM_HIGHDIFF_SHARE_DIFF,
                        STRATUM_SHARE_WEIGHT,
                        STRATUM_SHARE_WEIGHTS_JSON,
                        VERSION_ROLLING_MASK,
                        STRATUM_VARDIFF_RESUME,
                        STRATUM_VARDIFF_RESUME_TTL_SECONDS,
                        STRATUM_VARDIFF_RESUME_MAX_ENTRIES,
                        STRATUM_VARDIFF_RESUME_MAX_START_FACTOR,
                        STRATUM_INTEGRAL_DIFFICULTY));
    }
}
