package org.prismpool.bundle.internal;

import java.util.Optional;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * Cancellation, deadline and last checkpoint of one request and the build it may start. The first cancellation reason
 * wins; a passed deadline cancels by itself.
 *
 * <p>Thread-safe.
 */
final class BuildControl {

    private final CancelSource cancel = new CancelSource();
    private final Deadline deadline;
    private final MonotonicClock clock;
    private final long budgetNanos;
    private volatile long lastCheckpointNanos;
    private volatile long cancelledNanos;

    BuildControl(Deadline deadline, MonotonicClock clock) {
        this.deadline = deadline;
        this.clock = clock;
        this.budgetNanos = deadline.remainingNanos();
        this.lastCheckpointNanos = clock.nanoTime();
    }

    CancelSignal signal() {
        return cancel;
    }

    Deadline deadline() {
        return deadline;
    }

    boolean cancel(String reason) {
        cancelledNanos = clock.nanoTime();
        return cancel.cancel(reason);
    }

    Optional<String> cancelled() {
        return cancel.reason();
    }

    long cancelledNanos() {
        return cancelledNanos;
    }

    /** Marks progress, and stops a build that is cancelled or out of time. */
    void checkpoint(String name) {
        lastCheckpointNanos = clock.nanoTime();
        if (deadline.expired()) {
            cancel(Scheduler.TIMEOUT);
        }
        cancel.throwIfCancelled();
        deadline.check(name);
    }

    /** A publication may join it: at least half of its budget is left and it moved recently. */
    boolean healthy(long graceNanos) {
        return deadline.remainingNanos() >= budgetNanos / 2 && clock.nanoTime() - lastCheckpointNanos <= graceNanos;
    }

    boolean halfBudgetLeft() {
        return deadline.remainingNanos() >= budgetNanos / 2;
    }
}
