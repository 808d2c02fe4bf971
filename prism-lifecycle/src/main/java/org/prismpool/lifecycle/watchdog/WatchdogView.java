package org.prismpool.lifecycle.watchdog;

import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What one look of the watchdog sees.
 *
 * @param stopping whether a stop was asked for
 * @param requested a fatal exit that another part asked for
 * @param streakAge age of the coordination streak, if one is open
 * @param divergenceAge how long the newest work has been unpublished, if it is
 * @param overdue heartbeats older than the timeout
 */
public record WatchdogView(
        boolean stopping,
        Optional<FatalReason> requested,
        Optional<Duration> streakAge,
        Optional<Duration> divergenceAge,
        SortedSet<String> overdue) {

    /** Copies the names. */
    public WatchdogView {
        overdue = Collections.unmodifiableSortedSet(new TreeSet<>(overdue));
    }
}
