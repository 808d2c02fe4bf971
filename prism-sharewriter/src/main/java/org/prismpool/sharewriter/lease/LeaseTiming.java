package org.prismpool.sharewriter.lease;

import java.time.Duration;

/**
 * Timing envelope of the lease (lease contract §3.5); a broken envelope is refused.
 *
 * @param silence time without a sign of life after which a successor may adopt; default 1 s
 * @param heartbeatInterval pause between verifications; default 0.25 s, below the failure budget
 * @param failureBudget longest time without progress; default 0.75 s
 * @param monitorPoll pause between looks at the heartbeat; default 0.05 s
 * @param exitBudget time that an exit may take; default 0.1 s
 * @param statementTimeout bound of one verification before an external call; default 0.5 s
 * @param guardPoll pause between attempts at the guard; default 0.25 s
 */
public record LeaseTiming(
        Duration silence,
        Duration heartbeatInterval,
        Duration failureBudget,
        Duration monitorPoll,
        Duration exitBudget,
        Duration statementTimeout,
        Duration guardPoll) {

    /** The contract's values. */
    public static final LeaseTiming DEFAULTS = new LeaseTiming(
            Duration.ofSeconds(1),
            Duration.ofMillis(250),
            Duration.ofMillis(750),
            Duration.ofMillis(50),
            Duration.ofMillis(100),
            Duration.ofMillis(500),
            Duration.ofMillis(250));

    /** Checks that a session that loses touch is gone before a successor may adopt. */
    public LeaseTiming {
        if (heartbeatInterval.isNegative() || heartbeatInterval.isZero() || monitorPoll.isNegative()) {
            throw new IllegalArgumentException("lease heartbeat interval and monitor poll must be positive");
        }
        if (heartbeatInterval.compareTo(failureBudget) >= 0) {
            throw new IllegalArgumentException("lease heartbeat interval " + heartbeatInterval
                    + " must be below the failure budget " + failureBudget);
        }
        Duration gone = failureBudget.plus(exitBudget).plus(monitorPoll.multipliedBy(2));
        if (silence.compareTo(gone) <= 0) {
            throw new IllegalArgumentException("lease silence " + silence
                    + " must be above failure budget + exit budget + two monitor polls = " + gone);
        }
    }

    /**
     * Returns the longest time without a completed round trip to the server.
     *
     * @return 0.8 s at the defaults
     */
    public Duration serverProvenCap() {
        Duration cap = silence.minus(exitBudget).minus(monitorPoll.multipliedBy(2));
        return cap.compareTo(failureBudget) > 0 ? cap : failureBudget;
    }
}
