package org.prismpool.config.variable;

import static org.prismpool.config.variable.NumberParsers.int32;
import static org.prismpool.config.variable.NumberParsers.seconds;
import static org.prismpool.config.variable.TextParsers.bool;
import static org.prismpool.config.variable.TextParsers.coinbaseTag;
import static org.prismpool.config.variable.TextParsers.command;
import static org.prismpool.config.variable.TextParsers.oneOf;
import static org.prismpool.config.variable.TextParsers.text;
import static org.prismpool.config.variable.Variable.named;

import java.time.Duration;
import java.util.List;
import org.prismpool.config.variable.NumberParsers.Floor;

/** Variables of the area "Bundle and job build", in documented order. Source: spec 01 §1. */
public final class BundleVariables {

    /** Deadline of one job build flight. */
    public static final Variable<Duration> JOB_BUILD_TIMEOUT_SECONDS = named(
                    "PRISM_JOB_BUILD_TIMEOUT_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("60")
            .owner("bundle")
            .doc("Deadline of one job build flight.");

    /** Wait for a cancelled build / killed helper before it counts as orphaned. */
    public static final Variable<Duration> JOB_BUILD_CANCEL_GRACE_SECONDS = named(
                    "PRISM_JOB_BUILD_CANCEL_GRACE_SECONDS", seconds(Floor.NON_NEGATIVE))
            .byDefault("0.25")
            .owner("bundle")
            .doc("Wait for a cancelled build / killed helper before it counts as orphaned.");

    /** Build executor width (at most two flights can exist: one active, one retiring). */
    public static final Variable<Integer> JOB_BUILD_EXECUTOR_WORKERS = named(
                    "PRISM_JOB_BUILD_EXECUTOR_WORKERS", int32(1, 2, ""))
            .byDefault("2")
            .owner("bundle")
            .doc("Build executor width (at most two flights can exist: one active, one retiring).");

    /** Longest wait of a routine build behind publication-priority builds. */
    public static final Variable<Duration> ROUTINE_ADMISSION_DEADLINE_SECONDS = named(
                    "PRISM_ROUTINE_ADMISSION_DEADLINE_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("15")
            .owner("bundle")
            .doc("Longest wait of a routine build behind publication-priority builds; then fail fast.");

    /** Age limit of a shared bundle for reuse. */
    public static final Variable<Duration> JOB_BUNDLE_CACHE_SECONDS = named(
                    "PRISM_JOB_BUNDLE_CACHE_SECONDS", seconds(Floor.NON_NEGATIVE))
            .byDefault("10")
            .owner("bundle")
            .doc("Age limit of a shared bundle for reuse.");

    /** Fail-closed deadline of one signed bundle build by the in-process or child-process compiler. */
    public static final Variable<Duration> BUNDLE_BUILD_TIMEOUT_SECONDS = named(
                    "PRISM_BUNDLE_BUILD_TIMEOUT_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("60")
            .owner("bundle")
            .doc("Fail-closed deadline of one signed bundle build by the in-process or child-process compiler.");

    /** Grace after terminate, and again after kill, of a timed-out helper. */
    public static final Variable<Duration> AUDIT_BUNDLE_TERMINATE_GRACE_SECONDS = named(
                    "PRISM_AUDIT_BUNDLE_TERMINATE_GRACE_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("2")
            .owner("bundle")
            .doc("Grace after terminate, and again after kill, of a timed-out helper.");

    /** Use the persistent builder process instead of one process per build. */
    public static final Variable<Boolean> BUILDER_SERVE = named("PRISM_BUILDER_SERVE", bool())
            .byDefault("1")
            .withoutEffect()
            .owner("bundle")
            .doc("Use the persistent builder process instead of one process per build. Accepted without effect.");

    /** Directory with prebuilt helper tools. */
    public static final Variable<String> TOOL_BIN_DIR = named("PRISM_TOOL_BIN_DIR", text())
            .emptyIsUnset()
            .withoutEffect()
            .owner("bundle")
            .doc("Directory with prebuilt helper tools of another implementation. Accepted without effect.");

    /** Developer fallback that runs helpers from source. */
    public static final Variable<String> CARGO = named("PRISM_CARGO", text())
            .emptyIsValue()
            .withoutEffect()
            .owner("bundle")
            .doc("Command that runs another implementation's helpers from source. Accepted without effect.");

    /** Bytes placed in the coinbase scriptSig before the extranonces. */
    public static final Variable<String> COINBASE_TAG = named("PRISM_COINBASE_TAG", coinbaseTag())
            .byDefault("/PRISM/")
            .emptyIsValue()
            .owner("templates (coinbase)")
            .doc("Bytes placed in the coinbase scriptSig before the extranonces.");

    /** Below this number of distinct accepted miners, jobs are collection jobs. */
    public static final Variable<Integer> MIN_READY_MINERS = named(
                    "PRISM_MIN_READY_MINERS", int32(1, Integer.MAX_VALUE, ""))
            .byDefault("3")
            .owner("bundle; payout")
            .doc(
                    "Below this number of distinct accepted miners, jobs are collection jobs. The crossing latches once per process.");

    /** Which compiler builds bundles. */
    public static final Variable<String> BUNDLE_COMPILER = named(
                    "PRISM_BUNDLE_COMPILER", oneOf(true, "in-process", "subprocess", "shadow"))
            .byDefault("in-process")
            .owner("bundle")
            .doc("Which compiler builds bundles; shadow runs both and compares digests.");

    /** Command of the subprocess compiler, shell words. */
    public static final Variable<List<String>> BUNDLE_COMPILER_COMMAND = named(
                    "PRISM_BUNDLE_COMPILER_COMMAND", command())
            .emptyIsUnset()
            .owner("bundle")
            .doc("Command of the subprocess compiler, shell words; unset = this program's own audit build.");

    private BundleVariables() {}

    /**
     * Returns the group for the registry.
     *
     * @return the variables in documented order
     */
    public static VariableRegistry.Group group() {
        return new VariableRegistry.Group(
                "Bundle and job build",
                List.of(
                        JOB_BUILD_TIMEOUT_SECONDS,
                        JOB_BUILD_CANCEL_GRACE_SECONDS,
                        JOB_BUILD_EXECUTOR_WORKERS,
                        ROUTINE_ADMISSION_DEADLINE_SECONDS,
                        JOB_BUNDLE_CACHE_SECONDS,
                        BUNDLE_BUILD_TIMEOUT_SECONDS,
                        AUDIT_BUNDLE_TERMINATE_GRACE_SECONDS,
                        BUILDER_SERVE,
                        TOOL_BIN_DIR,
                        CARGO,
                        COINBASE_TAG,
                        MIN_READY_MINERS,
                        BUNDLE_COMPILER,
                        BUNDLE_COMPILER_COMMAND));
    }
}
