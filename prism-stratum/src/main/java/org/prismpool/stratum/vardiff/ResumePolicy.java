package org.prismpool.stratum.vardiff;

import java.math.BigDecimal;
import java.time.Duration;

/**
 * Rules of the difficulty memory across reconnects (spec 02 §8.7).
 *
 * @param enabled whether difficulties are remembered at all
 * @param timeToLive age up to which (inclusive) a remembered difficulty is used; zero disables the memory
 * @param maxEntries bound of remembered names, the least recently used leaves; zero disables the memory
 * @param maxStartFactor cap of an adopted value relative to the start difficulty, at least 1
 */
public record ResumePolicy(boolean enabled, Duration timeToLive, int maxEntries, BigDecimal maxStartFactor) {

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of its range
     */
    public ResumePolicy {
        if (timeToLive.isNegative() || maxEntries < 0) {
            throw new IllegalArgumentException("resume bounds must not be negative");
        }
        if (maxStartFactor.compareTo(BigDecimal.ONE) < 0) {
            throw new IllegalArgumentException("resume start factor must be at least 1");
        }
    }

    /**
     * Returns the documented defaults: on, 900 s, 8192 names, factor 1024.
     *
     * @return the default policy
     */
    public static ResumePolicy defaults() {
        return new ResumePolicy(true, Duration.ofSeconds(900), 8192, BigDecimal.valueOf(1024));
    }

    /**
     * Tells whether anything is remembered.
     *
     * @return false if any of the switches disables the memory
     */
    public boolean active() {
        return enabled && !timeToLive.isZero() && maxEntries > 0;
    }
}
