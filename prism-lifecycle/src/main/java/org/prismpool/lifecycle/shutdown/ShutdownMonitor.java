package org.prismpool.lifecycle.shutdown;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.prismpool.lifecycle.time.Deadline;

/** The one lock of a shutdown with the state that it guards; nothing foreign runs under it. */
final class ShutdownMonitor implements StopSignal {

    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(50); // a hand-moved clock wakes nobody
    private static final long CONTENDED_SLICE_MILLIS = 250;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Condition stopRaised = lock.newCondition();
    private final OpenWriters writers = new OpenWriters();
    private final ShutdownProgress progress = new ShutdownProgress();
    private final LongAdder contentions = new LongAdder();
    private final LongAdder waitedNanos = new LongAdder();
    private final LongAccumulator longestNanos = new LongAccumulator(Math::max, 0);

    /** Guarded: touch it in {@link #locked}, {@link #change} or a condition of {@link #await} only. */
    OpenWriters writers() {
        return writers;
    }

    /** Guarded: touch it in {@link #locked}, {@link #change} or a condition of {@link #await} only. */
    ShutdownProgress progress() {
        return progress;
    }

    LockWaits waits() {
        return new LockWaits(
                contentions.sum(), Duration.ofNanos(waitedNanos.sum()), Duration.ofNanos(longestNanos.get()));
    }

    private void acquire() {
        if (lock.tryLock()) {
            return;
        }
        long start = System.nanoTime(); // real time: it waits for real threads
        lock.lock();
        waited(start);
    }

    private void waited(long startNanos) {
        long nanos = System.nanoTime() - startNanos;
        contentions.increment();
        waitedNanos.add(nanos);
        longestNanos.accumulate(nanos);
    }

    <T> T locked(Supplier<T> read) {
        acquire();
        try {
            return read.get();
        } finally {
            lock.unlock();
        }
    }

    /** The same, with a sign of life while the lock is contended; an interrupt is kept for the caller. */
    <T> T locked(Supplier<T> read, Runnable onWaitSlice) {
        boolean interrupted = !lock.tryLock() && acquireInSlices(onWaitSlice);
        try {
            return read.get();
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns whether an interrupt came meanwhile. */
    private boolean acquireInSlices(Runnable onWaitSlice) {
        long start = System.nanoTime();
        boolean interrupted = false;
        while (true) {
            try {
                if (lock.tryLock(CONTENDED_SLICE_MILLIS, TimeUnit.MILLISECONDS)) {
                    waited(start);
                    return interrupted;
                }
                onWaitSlice.run();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    /** Changes the state and wakes everyone who waits for a part of it. */
    <T> T change(Supplier<T> change) {
        acquire();
        try {
            T result = change.get();
            if (progress.phase() != ShutdownPhase.RUNNING) {
                changed.signalAll();
                stopRaised.signalAll();
            }
            return result;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a condition and reads the state then; an interrupt is kept for the caller and does not end the wait. */
    <T> T await(BooleanSupplier condition, Deadline deadline, Supplier<T> read) {
        boolean interrupted = false;
        lock.lock();
        try {
            while (!condition.getAsBoolean() && !deadline.expired()) {
                try {
                    changed.awaitNanos(Math.min(SLICE_NANOS, deadline.remainingNanos()));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return read.get();
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public boolean requested() {
        return locked(progress::phase) != ShutdownPhase.RUNNING;
    }

    @Override
    public boolean await(Duration longest) throws InterruptedException {
        long remaining = longest.toNanos();
        lock.lockInterruptibly();
        try {
            while (progress.phase() == ShutdownPhase.RUNNING) {
                if (remaining <= 0L) {
                    return false;
                }
                remaining = stopRaised.awaitNanos(remaining);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
