package org.prismpool.payout.state;

import java.time.Duration;
import java.util.Objects;

/**
 * Settings of {@link PayoutState}.
 *
 * @param gateTimeout longest wait of a publisher for admitted deliveries; more than zero, default 20 s
 * @param publishRetries how often a superseded publication starts again before it leaves delivery fenced; default 8
 * @param unresolvedDepthMax number of blocks being accounted at which child builds stop; 1 or more, default 8
 * @param previewWait longest wait of a child build for its parent's preview; default 5 s
 * @param windows settings of prepared windows
 */
public record PayoutStateConfig(
        Duration gateTimeout,
        int publishRetries,
        int unresolvedDepthMax,
        Duration previewWait,
        PreparedWindowConfig windows) {

    /** The documented defaults. */
    public static final PayoutStateConfig DEFAULT =
            new PayoutStateConfig(Duration.ofSeconds(20), 8, 8, Duration.ofSeconds(5), PreparedWindowConfig.DEFAULT);

    /** Checks the ranges. */
    public PayoutStateConfig {
        if (gateTimeout.isNegative() || gateTimeout.isZero()) {
            throw new IllegalArgumentException("gateTimeout must be positive: " + gateTimeout);
        }
        if (publishRetries < 0) {
            throw new IllegalArgumentException("publishRetries must not be negative: " + publishRetries);
        }
        if (unresolvedDepthMax < 1) {
            throw new IllegalArgumentException("unresolvedDepthMax must be 1 or more: " + unresolvedDepthMax);
        }
        if (previewWait.isNegative()) {
            throw new IllegalArgumentException("previewWait must not be negative: " + previewWait);
        }
        Objects.requireNonNull(windows, "windows");
    }
}
