package org.prismpool.lifecycle.shutdown;

import java.time.Duration;

/**
 * Bounds of a shutdown.
 *
 * @param writerQuiescenceTimeout longest wait for open writers; default 15 s
 * @param heartbeatStopTimeout longest wait for the lease heartbeat to stop; default 1 s
 * @param leaseReleaseTimeout latest answer of the lease release on the ordinary path; default 30 s
 * @param threadPrefix start of the names of the threads that run drain steps; default {@code prism-lifecycle}
 */
public record ShutdownConfig(
        Duration writerQuiescenceTimeout,
        Duration heartbeatStopTimeout,
        Duration leaseReleaseTimeout,
        String threadPrefix) {

    /** Checks that every bound is more than zero. */
    public ShutdownConfig {
        requirePositive("writerQuiescenceTimeout", writerQuiescenceTimeout);
        requirePositive("heartbeatStopTimeout", heartbeatStopTimeout);
        requirePositive("leaseReleaseTimeout", leaseReleaseTimeout);
        if (threadPrefix.isBlank()) {
            throw new IllegalArgumentException("threadPrefix must not be blank");
        }
    }

    /**
     * Returns the default bounds.
     *
     * @return 15 s for writers, 1 s for the heartbeat, 30 s for the release
     */
    public static ShutdownConfig defaults() {
        return new ShutdownConfig(
                Duration.ofSeconds(15), Duration.ofSeconds(1), Duration.ofSeconds(30), "prism-lifecycle");
    }

    /**
     * Returns the same bounds with another wait for open writers.
     *
     * @param timeout more than zero
     * @return the changed copy
     */
    public ShutdownConfig withWriterQuiescenceTimeout(Duration timeout) {
        return new ShutdownConfig(timeout, heartbeatStopTimeout, leaseReleaseTimeout, threadPrefix);
    }

    /**
     * Returns the same bounds with another limit for the lease release.
     *
     * @param timeout more than zero
     * @return the changed copy
     */
    public ShutdownConfig withLeaseReleaseTimeout(Duration timeout) {
        return new ShutdownConfig(writerQuiescenceTimeout, heartbeatStopTimeout, timeout, threadPrefix);
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be more than zero, not " + value);
        }
    }
}
