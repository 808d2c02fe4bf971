package org.prismpool.config.variable;

import static org.prismpool.config.variable.NumberParsers.int32;
import static org.prismpool.config.variable.NumberParsers.seconds;
import static org.prismpool.config.variable.TextParsers.bool;
import static org.prismpool.config.variable.Variable.named;

import java.time.Duration;
import java.util.List;
import org.prismpool.config.variable.NumberParsers.Floor;

/** Variables of the area "Lifecycle, health, watchdog, logs", in documented order. Source: spec 01 §1. */
public final class LifecycleVariables {

    /** Refresh interval of the health snapshot. */
    public static final Variable<Duration> HEALTH_REFRESH_SECONDS = named(
                    "PRISM_HEALTH_REFRESH_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("5")
            .owner("lifecycle (health)")
            .doc("Refresh interval of the health snapshot.");

    /** Refresh interval of the metrics snapshot. */
    public static final Variable<Duration> METRICS_REFRESH_SECONDS = named(
                    "PRISM_METRICS_REFRESH_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("5")
            .owner("lifecycle (metrics)")
            .doc("Refresh interval of the metrics snapshot.");

    /** Known new work unpublished longer than this → /healthz 503. */
    public static final Variable<Duration> HEALTH_PENDING_REFRESH_MAX_AGE_SECONDS = named(
                    "PRISM_HEALTH_PENDING_REFRESH_MAX_AGE_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("15")
            .owner("lifecycle (health)")
            .doc("Known new work unpublished longer than this → /healthz 503.");

    /** Last coherent tip poll older than this → /healthz 503. */
    public static final Variable<Duration> HEALTH_TIP_POLL_MAX_AGE_SECONDS = named(
                    "PRISM_HEALTH_TIP_POLL_MAX_AGE_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("15")
            .owner("lifecycle (health)")
            .doc("Last coherent tip poll older than this → /healthz 503.");

    /** Delivery failures do not fail health during this start window. */
    public static final Variable<Duration> MINING_HEALTH_STARTUP_GRACE_SECONDS = named(
                    "PRISM_MINING_HEALTH_STARTUP_GRACE_SECONDS", seconds(Floor.NON_NEGATIVE))
            .byDefault("30")
            .owner("lifecycle (health)")
            .doc("Delivery failures do not fail health during this start window.");

    /** Wait for admitted writers at shutdown. */
    public static final Variable<Duration> WRITER_QUIESCENCE_TIMEOUT_SECONDS = named(
                    "PRISM_WRITER_QUIESCENCE_TIMEOUT_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("15")
            .owner("lifecycle (shutdown)")
            .doc("Wait for admitted writers at shutdown; on expiry the lease is not released.");

    /** Longest continuous coordination-only refresh deferral before exit. */
    public static final Variable<Duration> COORDINATION_BLOCKED_EXIT_SECONDS = named(
                    "PRISM_COORDINATION_BLOCKED_EXIT_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("900")
            .owner("lifecycle (watchdog)")
            .doc(
                    "Longest continuous coordination-only refresh deferral before exit. Active even with the liveness watchdog off.");

    /** Liveness (heartbeat) watchdog switch only. */
    public static final Variable<Boolean> WATCHDOG_ENABLED = named("PRISM_WATCHDOG_ENABLED", bool())
            .byDefault("1")
            .owner("lifecycle (watchdog)")
            .doc("Liveness (heartbeat) watchdog switch only.");

    /** Heartbeat silence that ends the process. */
    public static final Variable<Duration> WATCHDOG_TIMEOUT_SECONDS = named(
                    "PRISM_WATCHDOG_TIMEOUT_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("120")
            .owner("lifecycle (watchdog)")
            .doc("Heartbeat silence that ends the process.");

    /** Cadence of all watchdog checks (liveness and publication). */
    public static final Variable<Duration> WATCHDOG_INTERVAL_SECONDS = named(
                    "PRISM_WATCHDOG_INTERVAL_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("15")
            .owner("lifecycle (watchdog)")
            .doc("Cadence of all watchdog checks (liveness and publication).");

    /** Whole budget of a fatal shutdown: writer barrier plus exact-session lease release. */
    public static final Variable<Duration> WATCHDOG_LEASE_RELEASE_TIMEOUT_SECONDS = named(
                    "PRISM_WATCHDOG_LEASE_RELEASE_TIMEOUT_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("5")
            .owner("lifecycle (watchdog)")
            .doc("Whole budget of a fatal shutdown: writer barrier plus exact-session lease release.");

    /** Distinct worker labels before the rest goes to _other. */
    public static final Variable<Integer> WORKER_METRICS_LIMIT = named(
                    "PRISM_WORKER_METRICS_LIMIT", int32(0, Integer.MAX_VALUE, ""))
            .byDefault("100")
            .owner("lifecycle (metrics)")
            .doc("Distinct worker labels before the rest goes to _other; labels are cut at 128 characters.");

    /** One log line per share/job. */
    public static final Variable<Boolean> HOT_PATH_LOG = named("PRISM_HOT_PATH_LOG", bool())
            .byDefault("0")
            .owner("app (logs)")
            .doc("One log line per share/job.");

    /** Stop after the first accepted block (test default!). */
    public static final Variable<Boolean> STOP_AFTER_BLOCK = named("PRISM_STOP_AFTER_BLOCK", bool())
            .byDefault("1")
            .packaged("0")
            .owner("app; templates (block)")
            .doc("Stop after the first accepted block (test default!). Packaged deployments set 0.");

    /** Accepted blocks before the pool closes (test default!). */
    public static final Variable<Integer> MAX_BLOCKS = named("PRISM_MAX_BLOCKS", int32(1, Integer.MAX_VALUE, ""))
            .byDefault("1")
            .packaged("2147483647")
            .owner("app; templates (block)")
            .doc("Accepted blocks before the pool closes (test default!). Packaged deployments set 2147483647.");

    private LifecycleVariables() {}

    /**
     * Returns the group for the registry.
     *
     * @return the variables in documented order
     */
    public static VariableRegistry.Group group() {
        return new VariableRegistry.Group(
                "Lifecycle, health, watchdog, logs",
                List.of(
                        HEALTH_REFRESH_SECONDS,
                        METRICS_REFRESH_SECONDS,
                        HEALTH_PENDING_REFRESH_MAX_AGE_SECONDS,
                        HEALTH_TIP_POLL_MAX_AGE_SECONDS,
                        MINING_HEALTH_STARTUP_GRACE_SECONDS,
                        WRITER_QUIESCENCE_TIMEOUT_SECONDS,
                        COORDINATION_BLOCKED_EXIT_SECONDS,
                        WATCHDOG_ENABLED,
                        WATCHDOG_TIMEOUT_SECONDS,
                        WATCHDOG_INTERVAL_SECONDS,
                        WATCHDOG_LEASE_RELEASE_TIMEOUT_SECONDS,
                        WORKER_METRICS_LIMIT,
                        HOT_PATH_LOG,
                        STOP_AFTER_BLOCK,
                        MAX_BLOCKS));
    }
}
