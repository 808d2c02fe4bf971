package org.prismpool.payout.reorg;

import java.time.Duration;

/**
 * Settings of {@link ReorgReconciler}.
 *
 * @param memo how long a proven tip needs no other pass; zero proves every time; default 5 s
 * @param passTimeout longest pass; default 60 s
 * @param matureInterval pause between two looks at mature blocks; default 60 s
 * @param publishRetries how often a superseded publication repeats the pass; default 8
 */
public record ReconcileConfig(Duration memo, Duration passTimeout, Duration matureInterval, int publishRetries) {

    /** The documented defaults. */
    public static final ReconcileConfig DEFAULT =
            new ReconcileConfig(Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ofSeconds(60), 8);

    /** Checks the ranges. */
    public ReconcileConfig {
        if (memo.isNegative()) {
            throw new IllegalArgumentException("memo must not be negative: " + memo);
        }
        if (passTimeout.isNegative() || passTimeout.isZero()) {
            throw new IllegalArgumentException("passTimeout must be positive: " + passTimeout);
        }
        if (matureInterval.isNegative() || matureInterval.isZero()) {
            throw new IllegalArgumentException("matureInterval must be positive: " + matureInterval);
        }
        if (publishRetries < 0) {
            throw new IllegalArgumentException("publishRetries must not be negative: " + publishRetries);
        }
    }
}
