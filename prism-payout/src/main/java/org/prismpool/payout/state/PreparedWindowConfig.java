package org.prismpool.payout.state;

import java.time.Duration;

/**
 * Settings of prepared windows (spec 07 §6.5, 04 §16).
 *
 * @param reuse whether an installed window serves builds at all; default true
 * @param reanchorAge age of the anchor from which a background re-anchor is wanted; default 60 s
 * @param rearmMin shortest pause between two background re-anchors, before back-off; default 5 s
 * @param minBuildInterval shortest pause between two window builds; default the re-anchor age
 * @param maxAnchorAge age of the anchor from which a window serves nothing; default 300 s, more than twice the larger
 *     of re-anchor age and build interval
 * @param fullRescanInterval pause between two full reads that check the advanced window; default 1 h
 */
public record PreparedWindowConfig(
        boolean reuse,
        Duration reanchorAge,
        Duration rearmMin,
        Duration minBuildInterval,
        Duration maxAnchorAge,
        Duration fullRescanInterval) {

    /** Largest factor that failed re-anchors stretch {@link #rearmMin()} by. */
    public static final int BACKOFF_MAX = 16;

    /** The documented defaults. */
    public static final PreparedWindowConfig DEFAULT = new PreparedWindowConfig(
            true,
            Duration.ofSeconds(60),
            Duration.ofSeconds(5),
            Duration.ofSeconds(60),
            Duration.ofSeconds(300),
            Duration.ofHours(1));

    /** Checks the ranges and the rule between them. */
    public PreparedWindowConfig {
        requirePositive("reanchorAge", reanchorAge);
        requirePositive("rearmMin", rearmMin);
        requirePositive("minBuildInterval", minBuildInterval);
        requirePositive("fullRescanInterval", fullRescanInterval);
        Duration cadence = reanchorAge.compareTo(minBuildInterval) >= 0 ? reanchorAge : minBuildInterval;
        if (maxAnchorAge.compareTo(cadence.multipliedBy(2)) <= 0) {
            throw new IllegalArgumentException("maxAnchorAge must exceed twice the larger of reanchorAge and"
                    + " minBuildInterval: " + maxAnchorAge + " against " + cadence);
        }
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be positive: " + value);
        }
    }
}
