package org.prismpool.payout.finalization;

import java.time.Duration;

/**
 * Settings of {@link BlockFinalizer}.
 *
 * @param fastTimeout longest outbox call; default 1 s
 * @param landingTimeout first budget of a landing call to the ledger; default 30 s
 * @param landingTimeoutMax largest budget after doublings; default 120 s, effectively at least the first budget
 * @param nodeTimeout longest look at the node's chain within one step; default 10 s
 * @param rebuildTimeout longest rebuild and verification of an audit bundle; default 60 s
 * @param stopTimeout longest wait of {@link BlockFinalizer#close} for the step in progress; default 5 s
 */
public record FinalizerConfig(
        Duration fastTimeout,
        Duration landingTimeout,
        Duration landingTimeoutMax,
        Duration nodeTimeout,
        Duration rebuildTimeout,
        Duration stopTimeout) {

    /** The documented defaults. */
    public static final FinalizerConfig DEFAULT = new FinalizerConfig(
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            Duration.ofSeconds(120),
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            Duration.ofSeconds(5));

    /** Checks the ranges. */
    public FinalizerConfig {
        positive("fastTimeout", fastTimeout);
        positive("landingTimeout", landingTimeout);
        positive("landingTimeoutMax", landingTimeoutMax);
        positive("nodeTimeout", nodeTimeout);
        positive("rebuildTimeout", rebuildTimeout);
        positive("stopTimeout", stopTimeout);
    }

    private static void positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be positive: " + value);
        }
    }
}
