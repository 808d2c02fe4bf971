package org.prismpool.refresh.internal;

import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.refresh.RefreshClocks;
import org.prismpool.refresh.RefreshMetrics;
import org.prismpool.refresh.RefreshPhase;
import org.prismpool.refresh.RefreshStatus;
import org.prismpool.templates.chain.Hash256;

/**
 * The exposed phase. Only the thread that took it with {@link #begin()} may change it until {@link #end()}; updates from
 * other threads are ignored. Readers see one immutable record.
 */
final class PhaseTracker {

    record Current(RefreshPhase phase, long startedNanos, Optional<Hash256> tip, OptionalLong generation) {}

    private final RefreshClocks clocks;
    private final RefreshMetrics metrics;
    private volatile Current current;
    private volatile Optional<Thread> owner = Optional.empty();
    private volatile OptionalLong lastPollNanos = OptionalLong.empty();
    private volatile OptionalLong lastRefreshNanos = OptionalLong.empty();

    PhaseTracker(RefreshClocks clocks, RefreshMetrics metrics) {
        this.clocks = clocks;
        this.metrics = metrics;
        this.current =
                new Current(RefreshPhase.IDLE, clocks.monotonic().nanoTime(), Optional.empty(), OptionalLong.empty());
    }

    /** Takes the tracker for the calling thread and enters the first phase of an attempt. */
    void begin() {
        owner = Optional.of(Thread.currentThread());
        enter(RefreshPhase.REFRESH_LOCK);
    }

    void enter(RefreshPhase phase) {
        if (isOwner()) {
            long now = clocks.monotonic().nanoTime();
            Current seen = current;
            metrics.phase(seen.phase(), now - seen.startedNanos());
            current = new Current(phase, now, seen.tip(), seen.generation());
        }
    }

    void working(Hash256 tip, long generation) {
        if (isOwner()) {
            Current seen = current;
            current = new Current(seen.phase(), seen.startedNanos(), Optional.of(tip), OptionalLong.of(generation));
        }
    }

    void end() {
        enter(RefreshPhase.IDLE);
        if (isOwner()) {
            owner = Optional.empty();
        }
    }

    void polled() {
        lastPollNanos = OptionalLong.of(clocks.monotonic().nanoTime());
    }

    void refreshed() {
        lastRefreshNanos = OptionalLong.of(clocks.monotonic().nanoTime());
    }

    RefreshPhase phase() {
        return current.phase();
    }

    RefreshStatus status(OptionalLong helperPid, OptionalLong newestPending) {
        Current seen = current;
        long now = clocks.monotonic().nanoTime();
        return new RefreshStatus(
                seen.phase(),
                seen.tip(),
                seen.generation(),
                stamp(seen.startedNanos()),
                (now - seen.startedNanos()) / 1e9,
                stamp(lastPollNanos),
                stamp(lastRefreshNanos),
                helperPid,
                newestPending);
    }

    private boolean isOwner() {
        return owner.filter(thread -> thread == Thread.currentThread()).isPresent();
    }

    private Optional<RefreshStatus.Stamp> stamp(OptionalLong nanos) {
        return nanos.isPresent() ? Optional.of(stamp(nanos.getAsLong())) : Optional.empty();
    }

    private RefreshStatus.Stamp stamp(long nanos) {
        double age = (clocks.monotonic().nanoTime() - nanos) / 1e9;
        return new RefreshStatus.Stamp(nanos / 1e9, clocks.wall().millis() / 1e3 - age);
    }
}
