package org.prismpool.lifecycle.health;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One consistent judgement of progress.
 *
 * @param reasons what is wrong, in the order of judgement; empty if nothing is
 * @param pendingRefresh whether a change is neither published nor delivered
 * @param pendingRefreshAge age of the first such change, if there is one
 * @param tipPollAge time since the last coherent poll, or since the start before the first
 * @param refreshInProgress whether a refresh runs
 * @param refreshProgressAge time since the last sign of life of a running refresh
 * @param current newest work known
 * @param published newest work published; {@link WorkGeneration#NONE} before the first
 * @param lastValidDeliveryAge time since the current work was last delivered, if it was
 * @param clients counts for the current work
 * @param oldestBuildAge age of the oldest running build; zero when none runs
 */
public record ProgressSnapshot(
        List<ProgressReason> reasons,
        boolean pendingRefresh,
        Optional<Duration> pendingRefreshAge,
        Duration tipPollAge,
        boolean refreshInProgress,
        Optional<Duration> refreshProgressAge,
        WorkGeneration current,
        WorkGeneration published,
        Optional<Duration> lastValidDeliveryAge,
        ClientCounts clients,
        Duration oldestBuildAge) {

    /** Copies the list. */
    public ProgressSnapshot {
        reasons = List.copyOf(reasons);
    }

    /**
     * Tells whether progress is healthy.
     *
     * @return true without a reason against it
     */
    public boolean ok() {
        return reasons.isEmpty();
    }
}
