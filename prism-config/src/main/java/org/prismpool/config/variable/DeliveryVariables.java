package org.prismpool.config.variable;

import static org.prismpool.config.variable.NumberParsers.int32;
import static org.prismpool.config.variable.NumberParsers.seconds;
import static org.prismpool.config.variable.Variable.named;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.prismpool.config.variable.NumberParsers.Floor;

/** Variables of the area "Job delivery and stale policy", in documented order. Source: spec 01 §1. */
public final class DeliveryVariables {

    /** Authorised clients that may wait for a first job. */
    public static final Variable<Integer> STRATUM_MAX_PENDING_INITIAL_JOBS = named(
                    "PRISM_STRATUM_MAX_PENDING_INITIAL_JOBS", int32(1, Integer.MAX_VALUE, ""))
            .byDefault("128")
            .owner("delivery")
            .doc("Authorised clients that may wait for a first job; the next one is refused.");

    /** Expiry of a waiting first-job request. */
    public static final Variable<Duration> STRATUM_INITIAL_JOB_TIMEOUT_SECONDS = named(
                    "PRISM_STRATUM_INITIAL_JOB_TIMEOUT_SECONDS", seconds(Floor.NON_NEGATIVE))
            .byDefault("30")
            .owner("delivery")
            .doc("Expiry of a waiting first-job request. Production: must be > 0.");

    /** Workers of the dedicated first-job lane. */
    public static final Variable<Integer> INITIAL_JOB_MAX_WORKERS = named(
                    "PRISM_INITIAL_JOB_MAX_WORKERS", int32(1, Integer.MAX_VALUE, ""))
            .emptyIsUnset()
            .derived(
                    "min(4, PRISM_STRATUM_MAX_PENDING_INITIAL_JOBS)",
                    e -> Optional.of(Math.min(4, e.get(DeliveryVariables.STRATUM_MAX_PENDING_INITIAL_JOBS))),
                    DeliveryVariables.STRATUM_MAX_PENDING_INITIAL_JOBS)
            .owner("delivery")
            .doc(
                    "Workers of the dedicated first-job lane. Implicit default caps itself, explicit value is validated strictly.");

    /** Credit window for shares on the previous tip. */
    public static final Variable<Duration> STRATUM_STALE_GRACE_SECONDS = named(
                    "PRISM_STRATUM_STALE_GRACE_SECONDS", seconds(Floor.NON_NEGATIVE))
            .byDefault("3")
            .owner("stratum; delivery")
            .doc("Credit window for shares on the previous tip. Mainnet: must be 0.");

    /** How long a replaced same-tip job stays submittable. */
    public static final Variable<Duration> STRATUM_SAME_TIP_JOB_RETENTION_SECONDS = named(
                    "PRISM_STRATUM_SAME_TIP_JOB_RETENTION_SECONDS", seconds(Floor.NON_NEGATIVE))
            .byDefault("30")
            .owner("delivery")
            .doc("How long a replaced same-tip job stays submittable.");

    /** Bound of retained jobs per connection. */
    public static final Variable<Integer> STRATUM_SAME_TIP_JOB_RETENTION_PER_CONNECTION = named(
                    "PRISM_STRATUM_SAME_TIP_JOB_RETENTION_PER_CONNECTION", int32(0, Integer.MAX_VALUE, ""))
            .byDefault("64")
            .owner("delivery")
            .doc("Bound of retained jobs per connection. Pool bound = this × MAX_CONNECTIONS (default 24,576).");

    /** Retained jobs of closed connections that a same-name reconnect may submit. */
    public static final Variable<Integer> STRATUM_DISCONNECTED_JOB_RETENTION = named(
                    "PRISM_STRATUM_DISCONNECTED_JOB_RETENTION", int32(0, Integer.MAX_VALUE, ""))
            .byDefault("16384")
            .owner("delivery")
            .doc("Retained jobs of closed connections that a same-name reconnect may submit.");

    /** How old the published tip may be before a submit asks the node for the live tip. */
    public static final Variable<Duration> SUBMIT_TIP_MAX_AGE_SECONDS = named(
                    "PRISM_SUBMIT_TIP_MAX_AGE_SECONDS", seconds(Floor.NON_NEGATIVE))
            .byDefault("10")
            .owner("stratum; refresh")
            .doc("How old the published tip may be before a submit asks the node for the live tip.");

    /** Repeat of the current job (clean_jobs false) to a client that got no notify this long. */
    public static final Variable<Duration> STRATUM_JOB_KEEPALIVE_SECONDS = named(
                    "PRISM_STRATUM_JOB_KEEPALIVE_SECONDS", seconds(Floor.NON_NEGATIVE))
            .byDefault("60")
            .owner("delivery")
            .doc("Repeat of the current job (clean_jobs false) to a client that got no notify this long; 0 = off.");

    private DeliveryVariables() {}

    /**
     * Returns the group for the registry.
     *
     * @return the variables in documented order
     */
    public static VariableRegistry.Group group() {
        return new VariableRegistry.Group(
                "Job delivery and stale policy",
                List.of(
                        STRATUM_MAX_PENDING_INITIAL_JOBS,
                        STRATUM_INITIAL_JOB_TIMEOUT_SECONDS,
                        INITIAL_JOB_MAX_WORKERS,
                        STRATUM_STALE_GRACE_SECONDS,
                        STRATUM_SAME_TIP_JOB_RETENTION_SECONDS,
                        STRATUM_SAME_TIP_JOB_RETENTION_PER_CONNECTION,
                        STRATUM_DISCONNECTED_JOB_RETENTION,
                        SUBMIT_TIP_MAX_AGE_SECONDS,
                        STRATUM_JOB_KEEPALIVE_SECONDS));
    }
}
