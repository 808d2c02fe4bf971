package org.prismpool.templates.block;

/**
 * Pauses between retries: doubling from the first to the longest.
 *
 * @param firstNanos pause before the first retry
 * @param longestNanos largest pause
 */
record RetryPacing(long firstNanos, long longestNanos) {

    private static final int MOST_DOUBLINGS = 40;

    /** Returns the pause before a retry, counted from 1. */
    long delayNanos(int retry) {
        int doublings = Math.min(retry - 1, MOST_DOUBLINGS);
        long longest = Math.max(firstNanos, longestNanos);
        long doubled = firstNanos > longest >> doublings ? longest : firstNanos << doublings;
        return Math.min(doubled, longest);
    }
}
