package org.prismpool.templates.block;

import java.util.List;
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
        boolean poolOpen) {

    /** Counts candidates; ages start when a candidate could be offered. */
    static LaneSnapshot of(
            List<CandidateState> states, LaneConfig config, long now, boolean enumerated, boolean poolOpen) {
        List<CandidateState> pending = states.stream()
                .filter(state -> state.phase() != CandidateState.Phase.PARKED)
                .toList();
        List<CandidateState> backingOff = pending.stream()
                .filter(state -> state.phase() == CandidateState.Phase.QUEUED)
                .filter(state -> state.trail().retries() > 0)
                .toList();
        RetryPacing pacing = new RetryPacing(
                config.retryFirst().toNanos(), config.retryLongest().toNanos());
        return new LaneSnapshot(
                pending.size(),
                states.size() - pending.size(),
                pending.stream().mapToLong(state -> age(state, now)).max(),
                pending.stream()
                        .filter(state -> state.trail().passes() == 0)
                        .mapToLong(state -> age(state, now))
                        .max(),
                backingOff.stream()
                        .mapToLong(state -> pacing.delayNanos(state.trail().retries()))
                        .max(),
                backingOff.stream()
                        .mapToLong(state -> Math.max(0, state.trail().notBeforeNanos() - now))
                        .min(),
                enumerated,
                poolOpen);
    }

    private static long age(CandidateState state, long now) {
        return now - state.origin().runnableNanos();
    }
}
