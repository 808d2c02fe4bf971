package org.prismpool.stratum;

import java.time.Duration;

/**
 * When submitted work counts (spec 02 §7).
 *
 * @param staleGrace time after a connection got work for a new tip during which work for the one before is credited
 * @param tipMaxAge age up to which a confirmed published tip decides without asking the node; zero asks for every share
 * @param divergenceLease time during which an unpublished newer tip leaves the published one in charge
 * @param ntimeForwardSeconds how far a submitted time may lie ahead; 0 switches the time check off
 * @param duplicateCapacity submitted headers remembered against duplicates, above 0
 */
public record SharePolicy(
        Duration staleGrace,
        Duration tipMaxAge,
        Duration divergenceLease,
        int ntimeForwardSeconds,
        int duplicateCapacity) {

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of its range
     */
    public SharePolicy {
        if (staleGrace.isNegative() || tipMaxAge.isNegative() || divergenceLease.isNegative()) {
            throw new IllegalArgumentException("share times must not be negative");
        }
        if (ntimeForwardSeconds < 0 || duplicateCapacity < 1) {
            throw new IllegalArgumentException("time limit or duplicate capacity out of range");
        }
    }

    /**
     * Returns the documented defaults: 3 s, 10 s, 120 s, 600 s, 50000 headers.
     *
     * @return the default policy
     */
    public static SharePolicy defaults() {
        return new SharePolicy(Duration.ofSeconds(3), Duration.ofSeconds(10), Duration.ofSeconds(120), 600, 50_000);
    }

    /**
     * Returns this policy with another grace.
     *
     * @param grace time for work of the tip before
     * @return the changed policy
     */
    public SharePolicy withStaleGrace(Duration grace) {
        return new SharePolicy(grace, tipMaxAge, divergenceLease, ntimeForwardSeconds, duplicateCapacity);
    }
}
