package org.prismpool.lifecycle.executor;

import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One consistent reading of an executor.
 *
 * @param queued entries waiting for a worker, at most the capacity
 * @param active tasks running, at most the number of workers
 * @param completed tasks that returned, since the start
 * @param failed tasks that threw, since the start
 * @param cancelled entries removed before they started, since the start
 * @param rejectedFull submissions refused because the queue was full, since the start
 * @param rejectedClosed submissions refused because the executor was closed, since the start
 * @param oldestQueuedAge age of the oldest queued entry of each priority that has one
 */
public record ExecutorStats(
        int queued,
        int active,
        long completed,
        long failed,
        long cancelled,
        long rejectedFull,
        long rejectedClosed,
        SortedMap<Integer, Duration> oldestQueuedAge) {

    /** Copies the map. */
    public ExecutorStats {
        oldestQueuedAge = Collections.unmodifiableSortedMap(new TreeMap<>(oldestQueuedAge));
    }
}
