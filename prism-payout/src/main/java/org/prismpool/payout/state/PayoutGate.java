package org.prismpool.payout.state;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.chain.Hash256;

/**
 * The gate between published payout state and deliveries (spec 07 §6.1, §6.2): source, published state, fence,
 * admissions and the swap.
 *
 * <p>Thread-safe. Every field is written under {@code lock} and decisions are taken under it; {@code standing} and
 * {@code active} are read without. No foreign code and no I/O runs under the lock. The swap callback runs without it while
 * {@code swapping} keeps everyone else out.
 */
final class PayoutGate {

    private static final long SLICE_NANOS = Duration.ofMillis(50).toNanos();

    private final MonotonicClock clock;
    private final PayoutStateMetrics metrics;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private PayoutSource source;
    private PublishedPayout published;
    private boolean fenced = true; // nothing has been published yet
    private boolean draining;
    private boolean swapping;
    private final AtomicInteger active = new AtomicInteger(); // changed under the lock
    private long reserved = GateView.NOTHING_RESERVED;
    private long reservedInvalidationNanos;
    private volatile Standing standing; // the fields above as one record: written under the lock, read without it

    /** What readers see, all of it of one instant. */
    private record Standing(
            PublishedPayout published, PayoutSource source, boolean fenced, long reserved, boolean publishing) {}

    PayoutGate(MonotonicClock clock, PayoutStateMetrics metrics) {
        this.clock = clock;
        this.metrics = metrics;
        long now = clock.nanoTime();
        this.source = new PayoutSource(1, Hash256.ZERO, PayoutCause.STARTUP, now);
        this.published = new PublishedPayout(0, 0, Hash256.ZERO, now, BalanceArtifact.EMPTY);
        this.standing = new Standing(published, source, true, GateView.NOTHING_RESERVED, false);
    }

    /** What a swap attempt ended with. */
    enum Swap {
        DONE,
        SUPERSEDED,
        TIMED_OUT,
        CANCELLED
    }

    PayoutSource source() {
        return standing.source();
    }

    PublishedPayout published() {
        return standing.published();
    }

    /** Never waits: a fan-out asks several times for each client, from every event loop. */
    PayoutSnapshot snapshot() {
        Standing now = standing;
        return new PayoutSnapshot(
                now.published(), now.source(), now.fenced(), now.reserved(), now.publishing(), active.get());
    }

    PayoutSource invalidate(Hash256 tip, PayoutCause cause, boolean closeFence) {
        lock.lock();
        try {
            awaitSwap();
            source = source.next(tip, cause, clock.nanoTime());
            fenced |= closeFence;
            moved();
            return source;
        } finally {
            lock.unlock();
        }
    }

    /** Closes the fence; returns false when it stayed as it was. */
    boolean fence(boolean force) {
        lock.lock();
        try {
            awaitSwap();
            boolean moved = published.sourceGeneration() != source.generation();
            if (fenced || (!force && !moved)) {
                return false;
            }
            fenced = true;
            moved();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Replaces the published balances while generation and fence stay: a repair found by the balance self-check. */
    boolean repair(long generation, BalanceArtifact artifact) {
        lock.lock();
        try {
            awaitSwap();
            if (published.generation() != generation) {
                return false;
            }
            published = new PublishedPayout(
                    generation,
                    published.sourceGeneration(),
                    published.sourceTip(),
                    published.publishedNanos(),
                    artifact);
            moved();
            return true;
        } finally {
            lock.unlock();
        }
    }

    boolean current(PayoutCandidate candidate) {
        lock.lock();
        try {
            return isCurrent(candidate);
        } finally {
            lock.unlock();
        }
    }

    GateAdmission tryAdmit(long generation, GateCaller caller, boolean cancelled, long sinceNanos) {
        GateAdmission admission;
        PayoutStateMetrics.Relation relation;
        lock.lock();
        try {
            GateVerdict verdict = view().verdict(generation, caller.priority(), cancelled);
            relation = relation(generation);
            admission = verdict == GateVerdict.ADMITTED ? admit(generation, caller) : GateAdmission.refused(verdict);
        } finally {
            lock.unlock();
        }
        if (!admission.verdict().waiting()) {
            metrics.gateWait(relation, clock.nanoTime() - sinceNanos);
        }
        return admission;
    }

    GateAdmission admit(long generation, GateCaller caller, Deadline deadline, CancelSignal cancel)
            throws InterruptedException {
        long since = clock.nanoTime();
        while (true) {
            GateAdmission admission = tryAdmit(generation, caller, cancel.cancelled(), since);
            if (!admission.verdict().waiting() || deadline.expired()) {
                return admission;
            }
            lock.lockInterruptibly();
            try {
                if (view().verdict(generation, caller.priority(), false).waiting()) {
                    pause(deadline);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    Swap publish(
            PayoutCandidate candidate,
            BalanceArtifact artifact,
            Consumer<PublishedPayout> swap,
            Deadline deadline,
            CancelSignal cancel)
            throws InterruptedException {
        PublishedPayout next;
        lock.lockInterruptibly();
        try {
            Swap entry = drain(candidate, deadline, cancel);
            if (entry != Swap.DONE) {
                return entry;
            }
            swapping = true;
            moved();
            next = new PublishedPayout(
                    published.generation() + 1, source.generation(), source.tip(), clock.nanoTime(), artifact);
        } finally {
            lock.unlock();
        }
        try {
            swap.accept(next);
        } finally {
            // Whatever the callback did, nobody may be left waiting for the swap.
            install(next);
        }
        metrics.publish(clock.nanoTime() - next.publishedNanos());
        return Swap.DONE;
    }

    private Swap drain(PayoutCandidate candidate, Deadline deadline, CancelSignal cancel) throws InterruptedException {
        while (draining || swapping) {
            if (deadline.expired()) {
                return Swap.TIMED_OUT;
            }
            pause(deadline);
        }
        draining = true;
        moved();
        boolean keep = false;
        try {
            while (true) {
                if (!isCurrent(candidate)) {
                    return Swap.SUPERSEDED;
                }
                if (cancel.cancelled()) {
                    return Swap.CANCELLED;
                }
                if (active.get() == 0) {
                    keep = true;
                    return Swap.DONE;
                }
                if (deadline.expired()) {
                    return Swap.TIMED_OUT;
                }
                pause(deadline);
            }
        } finally {
            if (!keep) {
                draining = false;
                moved();
            }
        }
    }

    private void install(PublishedPayout next) {
        lock.lock();
        try {
            published = next;
            fenced = false;
            draining = false;
            swapping = false;
            reserved = next.generation();
            reservedInvalidationNanos = source.invalidatedNanos();
            moved();
        } finally {
            lock.unlock();
        }
    }

    private GateAdmission admit(long generation, GateCaller caller) {
        active.incrementAndGet();
        return new GateAdmission(GateVerdict.ADMITTED, Optional.of(new Ticket(generation, caller)));
    }

    private void leave(long generation, boolean consumes) {
        long invalidated = 0;
        boolean first = false;
        lock.lock();
        try {
            active.decrementAndGet();
            if (consumes && reserved == generation) {
                reserved = GateView.NOTHING_RESERVED;
                standing = standing();
                invalidated = reservedInvalidationNanos;
                first = true;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (first) {
            metrics.invalidationToFirstDelivery(clock.nanoTime() - invalidated);
        }
    }

    /** Shows a change to readers and waiters; under the lock. */
    private void moved() {
        standing = standing();
        changed.signalAll();
    }

    private Standing standing() {
        return new Standing(published, source, fenced, reserved, draining || swapping);
    }

    private boolean isCurrent(PayoutCandidate candidate) {
        return candidate.baseGeneration() == published.generation()
                && candidate.source().generation() == source.generation();
    }

    private GateView view() {
        return new GateView(fenced, published.generation(), reserved, draining || swapping);
    }

    private PayoutStateMetrics.Relation relation(long generation) {
        if (generation == published.generation()) {
            return PayoutStateMetrics.Relation.CURRENT;
        }
        return generation < published.generation()
                ? PayoutStateMetrics.Relation.STALE
                : PayoutStateMetrics.Relation.FUTURE;
    }

    private void awaitSwap() {
        while (swapping) {
            changed.awaitUninterruptibly();
        }
    }

    /** Waits for a change, at most one slice: cancellation and manual clocks are seen without a signal. */
    @SuppressWarnings("WaitNotInLoop") // every caller loops over its own condition
    private void pause(Deadline deadline) throws InterruptedException {
        long unused = changed.awaitNanos(Math.max(1, Math.min(SLICE_NANOS, deadline.remainingNanos())));
        assert unused <= SLICE_NANOS;
    }

    private final class Ticket implements GateTicket {
        private final long generation;
        private final GateCaller caller;
        private final AtomicBoolean left = new AtomicBoolean();

        private Ticket(long generation, GateCaller caller) {
            this.generation = generation;
            this.caller = caller;
        }

        @Override
        public void delivered() {
            if (left.compareAndSet(false, true)) {
                leave(generation, caller.consuming());
            }
        }

        @Override
        public void close() {
            if (left.compareAndSet(false, true)) {
                leave(generation, false);
            }
        }
    }
}
