package org.prismpool.bundle;

import java.time.Duration;

/**
 * Settings of {@link BundleService}.
 *
 * @param buildTimeout longest build from its request; default 60 s
 * @param cancelGrace age of the last checkpoint up to which a flight counts as moving, and the wait for a cancelled
 *     build; default 0.25 s
 * @param workers threads that compile, 1 or 2; default 2
 * @param cacheTtl how long a finished bundle may be served; zero switches the cache off; default 10 s
 * @param cacheEntries most bundles kept; default 128
 * @param routineAdmissionDeadline longest time that a routine request is parked behind publication work; default 15 s
 * @param preparationThreads threads that prepare routine requests; default 4
 * @param preparationQueue routine requests waiting for such a thread; more are refused; default 4096
 * @param extranonce2Size bytes of extranonce2 in the coinbase, 4 to 8; default 8
 * @param reanchor age of a build from which it is not served unless its window is the armed one; default 60 s
 * @param maxAnchorAge age of an anchor from which nothing built on it is served; default 300 s
 */
public record BundleConfig(
        Duration buildTimeout,
        Duration cancelGrace,
        int workers,
        Duration cacheTtl,
        int cacheEntries,
        Duration routineAdmissionDeadline,
        int preparationThreads,
        int preparationQueue,
        int extranonce2Size,
        Duration reanchor,
        Duration maxAnchorAge) {

    /** The documented defaults. */
    public static final BundleConfig DEFAULT = new BundleConfig(
            Duration.ofSeconds(60),
            Duration.ofMillis(250),
            2,
            Duration.ofSeconds(10),
            128,
            Duration.ofSeconds(15),
            4,
            4096,
            8,
            Duration.ofSeconds(60),
            Duration.ofSeconds(300));

    /** Checks the ranges. */
    public BundleConfig {
        if (buildTimeout.isNegative() || buildTimeout.isZero()) {
            throw new IllegalArgumentException("buildTimeout must be positive: " + buildTimeout);
        }
        if (cancelGrace.isNegative() || cacheTtl.isNegative()) {
            throw new IllegalArgumentException("cancelGrace and cacheTtl must not be negative");
        }
        if (workers < 1 || workers > 2) {
            throw new IllegalArgumentException("workers must be 1 or 2: " + workers);
        }
        if (routineAdmissionDeadline.isNegative() || routineAdmissionDeadline.isZero()) {
            throw new IllegalArgumentException("routineAdmissionDeadline must be positive");
        }
        if (cacheEntries < 1 || preparationThreads < 1 || preparationQueue < 1) {
            throw new IllegalArgumentException(
                    "cacheEntries, preparationThreads and preparationQueue must be positive");
        }
        if (extranonce2Size < 4 || extranonce2Size > 8) {
            throw new IllegalArgumentException("extranonce2Size must be 4 to 8: " + extranonce2Size);
        }
    }
}
