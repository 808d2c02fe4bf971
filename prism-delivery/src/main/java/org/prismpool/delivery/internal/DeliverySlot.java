package org.prismpool.delivery.internal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * A connection's delivery slot: at most one delivery between its first check and its hand-over to the event loop, in the
 * order in which they asked. Nobody blocks on it.
 *
 * <p>Guarded by this object's monitor; futures complete after it is released.
 */
final class DeliverySlot {

    /** One acquisition; released exactly once. */
    final class Hold {
        private boolean released; // guarded by the slot

        private Hold() {}

        void release() {
            DeliverySlot.this.release(this);
        }
    }

    private record Waiter(CompletableFuture<Optional<Hold>> future, long deadlineNanos) {}

    private final MonotonicClock clock;
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private @Nullable Hold holder;
    private long heldSinceNanos;
    private boolean closed;

    DeliverySlot(MonotonicClock clock) {
        this.clock = clock;
    }

    /** Takes the slot if it is free; never waits. */
    synchronized Optional<Hold> tryAcquire() {
        if (holder != null || closed) {
            return Optional.empty();
        }
        return Optional.of(take());
    }

    /**
     * Takes the slot, or waits for it.
     *
     * @param deadlineNanos monotonic instant at which {@link #expire()} gives the wait up
     * @return completes with the hold, or empty if it was not obtained
     */
    CompletableFuture<Optional<Hold>> acquire(long deadlineNanos) {
        synchronized (this) {
            if (closed) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            if (holder == null) {
                return CompletableFuture.completedFuture(Optional.of(take()));
            }
            Waiter waiter = new Waiter(new CompletableFuture<>(), deadlineNanos);
            waiters.add(waiter);
            return waiter.future();
        }
    }

    /** Gives up the waits whose deadline has passed. */
    void expire() {
        long nowNanos = clock.nanoTime();
        Deque<Waiter> late = new ArrayDeque<>();
        synchronized (this) {
            waiters.removeIf(waiter -> {
                boolean over = waiter.deadlineNanos() - nowNanos <= 0
                        || waiter.future().isDone();
                if (over) {
                    late.add(waiter);
                }
                return over;
            });
        }
        late.forEach(waiter -> waiter.future().complete(Optional.empty()));
    }

    /** Refuses everyone from now on: the connection is gone. */
    void close() {
        Deque<Waiter> refused;
        synchronized (this) {
            closed = true;
            refused = new ArrayDeque<>(waiters);
            waiters.clear();
        }
        refused.forEach(waiter -> waiter.future().complete(Optional.empty()));
    }

    /** Returns since when the slot is held; empty while it is free. */
    synchronized OptionalLong heldSinceNanos() {
        return holder == null ? OptionalLong.empty() : OptionalLong.of(heldSinceNanos);
    }

    synchronized boolean hasWaiters() {
        return !waiters.isEmpty();
    }

    private void release(Hold hold) {
        while (true) {
            Waiter next;
            Hold passed;
            synchronized (this) {
                if (hold.released || holder != hold) {
                    return;
                }
                hold.released = true;
                next = waiters.poll();
                if (next == null) {
                    holder = null;
                    return;
                }
                passed = take();
            }
            if (next.future().complete(Optional.of(passed))) {
                return;
            }
            hold = passed; // that waiter had given up: pass the slot on
        }
    }

    private Hold take() {
        Hold taken = new Hold();
        holder = taken;
        heldSinceNanos = clock.nanoTime();
        return taken;
    }
}
