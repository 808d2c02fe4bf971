package org.prismpool.templates.block;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.chain.Hash256;

/**
 * The registry under its one lock, with the clock and the senders that wait for a verdict.
 *
 * <p>Thread-safe. The lock is held for a state transition only; nothing foreign runs under it.
 */
final class CandidateBook implements AcceptanceEvidence.Registered {

    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final CandidateRegistry registry; // guarded by lock
    private final Map<Hash256, List<CompletableFuture<CandidateVerdict>>> waiters = new HashMap<>(); // guarded by lock
    private final MonotonicClock clock;
    private boolean closed; // guarded by lock

    CandidateBook(LaneConfig config, MonotonicClock clock) {
        this.registry = new CandidateRegistry(config);
        this.clock = clock;
    }

    CandidateRegistry.Admission admit(BlockCandidate candidate, boolean replayed, int attempts, boolean evidence) {
        lock.lock();
        try {
            long now = clock.nanoTime();
            CandidateState.Origin origin = new CandidateState.Origin(replayed, now, attempts);
            CandidateRegistry.Admission admission = registry.admit(candidate, origin, evidence, now);
            changed.signalAll();
            return admission;
        } finally {
            lock.unlock();
        }
    }

    /** An arrival and the verdict that its sender can wait for. */
    record Arrival(CandidateRegistry.Admission admission, CompletableFuture<CandidateVerdict> verdict) {}

    /** Admits a candidate and registers its sender in one step, so that no settlement falls between both. */
    Arrival admitLive(BlockCandidate candidate) {
        lock.lock();
        try {
            CandidateRegistry.Admission admission = admit(candidate, false, 0, false);
            return new Arrival(admission, verdict(candidate.hash()));
        } finally {
            lock.unlock();
        }
    }

    /** Returns the verdict: complete at once for a candidate that has ended. Called under the lock. */
    private CompletableFuture<CandidateVerdict> verdict(Hash256 hash) {
        Optional<Boolean> end = registry.end(hash);
        if (end.isPresent()) {
            return CompletableFuture.completedFuture(ended(end.get()));
        }
        CompletableFuture<CandidateVerdict> future = new CompletableFuture<>();
        waiters.computeIfAbsent(hash, key -> new ArrayList<>()).add(future);
        return future;
    }

    private static CandidateVerdict ended(boolean submitted) {
        return submitted ? CandidateVerdict.LANDED : CandidateVerdict.ABANDONED;
    }

    /** Makes a paced retry due now; tells whether the hash is known at all, open or ended. */
    boolean hasten(Hash256 hash) {
        lock.lock();
        try {
            boolean known = registry.hasten(hash, clock.nanoTime());
            changed.signalAll();
            return known;
        } finally {
            lock.unlock();
        }
    }

    void rememberEnd(Hash256 hash, boolean submitted) {
        lock.lock();
        try {
            registry.rememberEnd(hash, submitted);
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a step at most one slice long; empty means look again, so the caller is the loop. */
    @SuppressWarnings("WaitNotInLoop")
    Optional<CandidateRegistry.Step> awaitStep() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long now = clock.nanoTime();
            Optional<CandidateRegistry.Step> step = closed ? Optional.empty() : registry.next(now);
            if (step.isEmpty() && !closed) {
                OptionalLong due = registry.nextDueNanos();
                long wait = due.isPresent() ? Math.max(1, due.getAsLong() - now) : SLICE_NANOS;
                long unused = changed.awaitNanos(Math.min(SLICE_NANOS, wait));
            }
            return step;
        } finally {
            lock.unlock();
        }
    }

    OfferedCandidate offered(Hash256 hash, OfferOutcome outcome) {
        lock.lock();
        try {
            changed.signalAll();
            return registry.offered(hash, outcome, clock.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    OfferedCandidate reused(Hash256 hash) {
        lock.lock();
        try {
            return registry.reused(hash, clock.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    void postpone(Hash256 hash) {
        lock.lock();
        try {
            registry.postpone(hash, clock.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    void offeredByAccounting(Hash256 hash, OfferOutcome outcome) {
        lock.lock();
        try {
            registry.offeredByAccounting(hash, outcome, clock.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    /** A settlement and the senders to tell. */
    record Settled(CandidateRegistry.Settlement settlement, List<CompletableFuture<CandidateVerdict>> waiters) {}

    Settled settle(Hash256 hash, AccountingResult result) {
        lock.lock();
        try {
            CandidateRegistry.Settlement settlement = registry.settle(hash, result, clock.nanoTime());
            changed.signalAll();
            List<CompletableFuture<CandidateVerdict>> told = waiters.remove(hash);
            return new Settled(settlement, told == null ? List.of() : told);
        } finally {
            lock.unlock();
        }
    }

    Optional<OfferedCandidate> observeTip(Hash256 hash) {
        lock.lock();
        try {
            return registry.observeTip(hash, clock.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    Optional<OfferedCandidate> unpark(Hash256 hash, boolean buried) {
        lock.lock();
        try {
            return registry.unpark(hash, buried);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean freshEvidence(Hash256 hash) {
        lock.lock();
        try {
            return registry.freshEvidence(hash, clock.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean seal(Hash256 hash, boolean overridesEvidence) {
        lock.lock();
        try {
            return registry.seal(hash, overridesEvidence, clock.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean endedAsSubmitted(Hash256 hash) {
        lock.lock();
        try {
            return registry.end(hash).orElse(false);
        } finally {
            lock.unlock();
        }
    }

    List<CandidateState> states() {
        lock.lock();
        try {
            return registry.states();
        } finally {
            lock.unlock();
        }
    }

    boolean poolClosed() {
        lock.lock();
        try {
            return registry.closed();
        } finally {
            lock.unlock();
        }
    }

    /** Ends all waiting for steps. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean closedForGood() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Lets waiting threads look at the clock again. */
    void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
