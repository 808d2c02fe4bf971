package org.prismpool.templates.block;

import java.util.OptionalLong;

/**
 * Numbers of the lane at one moment, for gauges.
 *
 * @param pending candidates that are neither terminal nor parked
 * @param parked stored side-branch blocks that wait for a reorganization
 * @param oldestPendingNanos age of the oldest pending candidate
 * @param oldestUnattemptedNanos age of the oldest pending candidate that was never handed to accounting
 * @param backoffNanos longest current pause before a retry
 * @param backoffRemainingNanos time until the next retry is due, zero or more
 * @param enumerated whether the outbox was read once to its end: job builds wait for it
 * @param poolOpen whether further blocks are offered
 */
public record LaneSnapshot(
        int pending,
        int parked,
        OptionalLong oldestPendingNanos,
        OptionalLong oldestUnattemptedNanos,
        OptionalLong backoffNanos,
        OptionalLong backoffRemainingNanos,
        boolean enumerated,
        boolean poolOpen) {}
