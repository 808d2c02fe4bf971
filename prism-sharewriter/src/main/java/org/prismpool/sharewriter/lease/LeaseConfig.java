package org.prismpool.sharewriter.lease;

import java.time.Duration;

/**
 * Settings of a writer lease.
 *
 * @param identity who writes
 * @param ttl time to live of the lease without renewal; default 60 s
 * @param externalCallBound longest mutating call to the node or wallet; default 10 s
 * @param acquireLockTimeout bound of each acquisition statement; default 5 s
 * @param acquireAttempts bounded statements before giving up; default 5
 * @param timing timing envelope
 */
public record LeaseConfig(
        LeaseIdentity identity,
        Duration ttl,
        Duration externalCallBound,
        Duration acquireLockTimeout,
        int acquireAttempts,
        LeaseTiming timing) {

    /** Checks the ranges and that the authority margin fits the time to live. */
    public LeaseConfig {
        if (ttl.isNegative() || ttl.isZero()) {
            throw new IllegalArgumentException("lease ttl must be positive");
        }
        if (acquireAttempts < 1) {
            throw new IllegalArgumentException("lease acquire attempts must be 1 or more");
        }
        Duration margin = margin(ttl, externalCallBound);
        if (margin.compareTo(ttl) >= 0) {
            throw new IllegalArgumentException(
                    "lease authority margin " + margin + " must be below the lease ttl " + ttl);
        }
    }

    /**
     * Creates settings with the contract's defaults.
     *
     * @param identity who writes
     * @return settings with a 60 s lease
     */
    public static LeaseConfig of(LeaseIdentity identity) {
        return new LeaseConfig(
                identity,
                Duration.ofSeconds(60),
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                5,
                LeaseTiming.DEFAULTS);
    }

    /**
     * Returns the life that a lease must have left before an external call is allowed behind an own write.
     *
     * @return the larger of half the ttl and 5 s plus the longest call; 30 s at the defaults
     */
    public Duration authorityMargin() {
        return margin(ttl, externalCallBound);
    }

    private static Duration margin(Duration ttl, Duration call) {
        Duration byCall = call.plusSeconds(5);
        Duration half = ttl.dividedBy(2);
        return byCall.compareTo(half) > 0 ? byCall : half;
    }
}
