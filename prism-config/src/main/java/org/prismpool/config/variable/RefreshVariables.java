package org.prismpool.config.variable;

import static org.prismpool.config.variable.NumberParsers.int32;
import static org.prismpool.config.variable.NumberParsers.seconds;
import static org.prismpool.config.variable.TextParsers.bool;
import static org.prismpool.config.variable.Variable.named;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.prismpool.config.variable.NumberParsers.Floor;

/** Variables of the area "Templates and tip refresh", in documented order. Source: spec 01 §1. */
public final class RefreshVariables {

    /** Startup gate: maximum age (now − curtime) of the node's template. */
    public static final Variable<Integer> TEMPLATE_MAX_AGE_SECONDS = named(
                    "PRISM_TEMPLATE_MAX_AGE_SECONDS", int32(0, Integer.MAX_VALUE, "seconds"))
            .byDefault("120")
            .owner("templates")
            .doc("Startup gate: maximum age (now − curtime) of the node's template.");

    /** Interval of the tip/template poll. */
    public static final Variable<Duration> BLOCKPOLL_SECONDS = named("PRISM_BLOCKPOLL_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("2")
            .owner("refresh")
            .doc("Interval of the tip/template poll.");

    /** Age limit of a cached template for job builds. */
    public static final Variable<Duration> TEMPLATE_CACHE_SECONDS = named(
                    "PRISM_TEMPLATE_CACHE_SECONDS", seconds(Floor.NON_NEGATIVE))
            .derived("= PRISM_BLOCKPOLL_SECONDS", e -> Optional.of(e.get(BLOCKPOLL_SECONDS)), BLOCKPOLL_SECONDS)
            .packaged("2")
            .owner("templates")
            .doc("Age limit of a cached template for job builds.");

    /** Push detection through waitfornewblock. */
    public static final Variable<Boolean> BLOCKWAIT_ENABLED = named("PRISM_BLOCKWAIT_ENABLED", bool())
            .byDefault("1")
            .owner("refresh")
            .doc("Push detection through waitfornewblock.");

    /** Server-side wait of one waitfornewblock (sent as whole milliseconds, at least 1). */
    public static final Variable<Duration> BLOCKWAIT_TIMEOUT_SECONDS = named(
                    "PRISM_BLOCKWAIT_TIMEOUT_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("5")
            .owner("refresh")
            .doc(
                    "Server-side wait of one waitfornewblock (sent as whole milliseconds, at least 1); client budget = value + 10 s; see W5.");

    /** Spacing (+ up to 25 % jitter) between failed refreshes of the same tip. */
    public static final Variable<Duration> TIP_REFRESH_FAILURE_HOLDOFF_SECONDS = named(
                    "PRISM_TIP_REFRESH_FAILURE_HOLDOFF_SECONDS", seconds(Floor.NON_NEGATIVE))
            .byDefault("1")
            .owner("refresh")
            .doc("Spacing (+ up to 25 % jitter) between failed refreshes of the same tip.");

    /** Width of the refresh fan-out executor. */
    public static final Variable<Integer> TIP_REFRESH_MAX_WORKERS = named(
                    "PRISM_TIP_REFRESH_MAX_WORKERS", int32(1, 16, ""))
            .byDefault("16")
            .owner("refresh")
            .doc("Width of the refresh fan-out executor.");

    /** Latest-wins refresh epochs (staged rollout switch). */
    public static final Variable<Boolean> TIP_REFRESH_EPOCH_FANOUT = named("PRISM_TIP_REFRESH_EPOCH_FANOUT", bool())
            .byDefault("0")
            .owner("refresh")
            .doc("Latest-wins refresh epochs (staged rollout switch).");

    /** Wall-clock deadline of one whole tip refresh. */
    public static final Variable<Duration> TIP_REFRESH_TIMEOUT_SECONDS = named(
                    "PRISM_TIP_REFRESH_TIMEOUT_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("90")
            .owner("refresh")
            .doc(
                    "Wall-clock deadline of one whole tip refresh; every phase, fan-out step and input serialisation checks it.");

    /** Bound of waiting for refresh admission. */
    public static final Variable<Duration> TIP_REFRESH_LOCK_TIMEOUT_SECONDS = named(
                    "PRISM_TIP_REFRESH_LOCK_TIMEOUT_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("5")
            .owner("refresh")
            .doc("Bound of waiting for refresh admission.");

    /** Bound of waiting for one client's job state during fan-out. */
    public static final Variable<Duration> CLIENT_JOB_LOCK_TIMEOUT_SECONDS = named(
                    "PRISM_CLIENT_JOB_LOCK_TIMEOUT_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("2")
            .owner("delivery")
            .doc("Bound of waiting for one client's job state during fan-out.");

    /** Publication budget: an observed tip that stays unpublished this long ends the process. */
    public static final Variable<Duration> TEMPLATE_REFRESH_FAILURE_EXIT_SECONDS = named(
                    "PRISM_TEMPLATE_REFRESH_FAILURE_EXIT_SECONDS", seconds(Floor.NON_NEGATIVE))
            .byDefault("120")
            .owner("refresh; lifecycle")
            .doc(
                    "Publication budget: an observed tip that stays unpublished this long ends the process. Active even with the liveness watchdog off. Production: must be > 0.");

    /** Reconcile pool blocks with the active chain before job issue. */
    public static final Variable<Boolean> REORG_RECONCILER_ENABLED = named("PRISM_REORG_RECONCILER_ENABLED", bool())
            .byDefault("1")
            .owner("payout")
            .doc("Reconcile pool blocks with the active chain before job issue.");

    /** How long a trusted reconcile of one tip is reused (the chain-trust probe itself is never cached). */
    public static final Variable<Duration> REORG_RECONCILE_CACHE_SECONDS = named(
                    "PRISM_REORG_RECONCILE_CACHE_SECONDS", seconds(Floor.NON_NEGATIVE))
            .byDefault("5")
            .owner("payout")
            .doc("How long a trusted reconcile of one tip is reused (the chain-trust probe itself is never cached).");

    private RefreshVariables() {}

    /**
     * Returns the group for the registry.
     *
     * @return the variables in documented order
     */
    public static VariableRegistry.Group group() {
        return new VariableRegistry.Group(
                "Templates and tip refresh",
                List.of(
                        TEMPLATE_CACHE_SECONDS,
                        TEMPLATE_MAX_AGE_SECONDS,
                        BLOCKPOLL_SECONDS,
                        BLOCKWAIT_ENABLED,
                        BLOCKWAIT_TIMEOUT_SECONDS,
                        TIP_REFRESH_FAILURE_HOLDOFF_SECONDS,
                        TIP_REFRESH_MAX_WORKERS,
                        TIP_REFRESH_EPOCH_FANOUT,
                        TIP_REFRESH_TIMEOUT_SECONDS,
                        TIP_REFRESH_LOCK_TIMEOUT_SECONDS,
                        CLIENT_JOB_LOCK_TIMEOUT_SECONDS,
                        TEMPLATE_REFRESH_FAILURE_EXIT_SECONDS,
                        REORG_RECONCILER_ENABLED,
                        REORG_RECONCILE_CACHE_SECONDS));
    }
}
