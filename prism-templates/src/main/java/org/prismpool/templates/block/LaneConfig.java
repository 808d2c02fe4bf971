package org.prismpool.templates.block;

import java.time.Duration;

/**
 * Settings of the candidate lane.
 *
 * @param submitTimeout longest time of one {@code submitblock} and of the parent test's question; 1 s by default
 * @param outboxTimeout longest time of one outbox call; 1 s by default
 * @param observedTipWindow how long a tip observation or a remembered acceptance counts as evidence; 300 s by default
 * @param maxBlocks accepted blocks after which the pool is closed; 1 by default
 * @param stopAfterBlock whether the pool stops when it is closed by its last block; true by default
 * @param stuckLimit how long all offer threads may be stuck in node calls; 30 s by default
 * @param retryFirst first pause before a retry; 0.25 s by default
 * @param retryLongest longest pause before a retry; 30 s by default
 * @param rereadInterval pause between two looks at the outbox and the spool; 5 s by default
 */
public record LaneConfig(
        Duration submitTimeout,
        Duration outboxTimeout,
        Duration observedTipWindow,
        int maxBlocks,
        boolean stopAfterBlock,
        Duration stuckLimit,
        Duration retryFirst,
        Duration retryLongest,
        Duration rereadInterval) {

    /** Settings with every documented default. */
    public static final LaneConfig DEFAULTS = new LaneConfig(
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(300),
            1,
            true,
            Duration.ofSeconds(30),
            Duration.ofMillis(250),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5));

    /** Checks the ranges. */
    public LaneConfig {
        requirePositive(submitTimeout, "submitTimeout");
        requirePositive(outboxTimeout, "outboxTimeout");
        requirePositive(observedTipWindow, "observedTipWindow");
        requirePositive(stuckLimit, "stuckLimit");
        requirePositive(retryFirst, "retryFirst");
        requirePositive(retryLongest, "retryLongest");
        requirePositive(rereadInterval, "rereadInterval");
        if (maxBlocks < 1) {
            throw new IllegalArgumentException("maxBlocks is 1 or more");
        }
    }

    /**
     * Returns these settings with another limit of blocks.
     *
     * @param blocks 1 or more
     * @param stop whether the pool stops at the limit
     * @return changed settings
     */
    public LaneConfig withMaxBlocks(int blocks, boolean stop) {
        return new LaneConfig(
                submitTimeout,
                outboxTimeout,
                observedTipWindow,
                blocks,
                stop,
                stuckLimit,
                retryFirst,
                retryLongest,
                rereadInterval);
    }

    private static void requirePositive(Duration value, String name) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " is more than zero");
        }
    }
}
