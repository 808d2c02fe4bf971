package org.prismpool.app.bench.jobs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Makes callers wait and remembers when they did, so that the part of a span that no injected wait explains can be told.
 * Nobody waits before {@link #begin}. Thread-safe; closing it ends every wait.
 */
final class InjectedWaits implements AutoCloseable {

    /** One wait, in nanoseconds of the process clock. */
    record Interval(long from, long to) {}

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Object lock = new Object();
    private final List<Interval> intervals = new ArrayList<>();
    private volatile boolean begun;

    /** From now on callers wait. */
    void begin() {
        begun = true;
    }

    /** Waits for a while that began at {@code fromNanos}; returns early when interrupted or closed. */
    void await(long fromNanos, Duration length) {
        if (!begun) {
            return;
        }
        long left = fromNanos + length.toNanos() - System.nanoTime();
        try {
            if (left > 0 && closed.await(left, TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        record(fromNanos, System.nanoTime());
    }

    void record(long from, long to) {
        synchronized (lock) {
            intervals.add(new Interval(from, to));
        }
    }

    /** Forgets the past. */
    void clear() {
        synchronized (lock) {
            intervals.clear();
        }
    }

    List<Interval> intervals() {
        synchronized (lock) {
            return List.copyOf(intervals);
        }
    }

    /**
     * Adds up the time within a span in which at least one interval was running.
     *
     * @return nanoseconds, at most the length of the span
     */
    static long covered(List<Interval> all, long from, long to) {
        long covered = 0;
        long reached = from;
        List<Interval> ordered =
                all.stream().sorted(Comparator.comparingLong(Interval::from)).toList();
        for (Interval next : ordered) {
            long begin = Math.max(reached, next.from());
            long end = Math.min(to, next.to());
            if (end > begin) {
                covered += end - begin;
                reached = end;
            }
        }
        return covered;
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
