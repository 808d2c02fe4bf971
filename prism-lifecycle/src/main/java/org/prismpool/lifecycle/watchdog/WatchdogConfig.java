package org.prismpool.lifecycle.watchdog;

import java.time.Duration;

/**
 * Limits of the watchdog.
 *
 * @param livenessEnabled whether heartbeats are judged; the other rules always are
 * @param timeout heartbeat age that counts as stuck; default 120 s
 * @param interval time between two looks; default 15 s
 * @param publicationBudget longest time that current work may stay unpublished, and that refreshes may keep failing;
 *     default 120 s, zero switches both off
 * @param coordinationBudget longest streak of refreshes that displace each other; default 900 s
 */
public record WatchdogConfig(
        boolean livenessEnabled,
        Duration timeout,
        Duration interval,
        Duration publicationBudget,
        Duration coordinationBudget) {

    /** Checks the ranges. */
    public WatchdogConfig {
        requirePositive("timeout", timeout);
        requirePositive("interval", interval);
        if (publicationBudget.isNegative()) {
            throw new IllegalArgumentException("publicationBudget must not be negative");
        }
    }

    /**
     * Returns the default limits.
     *
     * @return liveness on, 120 s, every 15 s, 120 s, 900 s
     */
    public static WatchdogConfig defaults() {
        return new WatchdogConfig(
                true,
                Duration.ofSeconds(120),
                Duration.ofSeconds(15),
                Duration.ofSeconds(120),
                Duration.ofSeconds(900));
    }

    /**
     * Returns the longest silence of a loop that waits on purpose.
     *
     * @return the smaller of 0.25 s and nine tenths of the timeout
     */
    public Duration waitSlice() {
        Duration ninth = timeout.multipliedBy(9).dividedBy(10);
        Duration quarter = Duration.ofMillis(250);
        return ninth.compareTo(quarter) < 0 ? ninth : quarter;
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be more than zero, not " + value);
        }
    }
}
