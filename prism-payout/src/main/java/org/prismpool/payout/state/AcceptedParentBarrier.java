package org.prismpool.payout.state;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.templates.chain.Hash256;

/**
 * Own blocks that the chain has taken, or may have taken, before the ledger confirmed them, and what that means for
 * the balances of their children (spec 07 §6.3).
 *
 * <p>Thread-safe; the map and the flag are guarded by {@code lock}. Chain probes run without it.
 */
public final class AcceptedParentBarrier {

    private static final long SLICE_NANOS = Duration.ofMillis(250).toNanos();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Hash256, ParentTransition> transitions = new LinkedHashMap<>();
    private final int unresolvedDepthMax;
    private final Duration previewWait;
    private final ActiveChain chain;
    private final PayoutEvents events;
    private final PayoutStateMetrics metrics;
    private final MonotonicClock clock;
    private boolean replayEnumerated;

    AcceptedParentBarrier(
            PayoutStateConfig config,
            ActiveChain chain,
            PayoutEvents events,
            PayoutStateMetrics metrics,
            MonotonicClock clock) {
        this.unresolvedDepthMax = config.unresolvedDepthMax();
        this.previewWait = config.previewWait();
        this.chain = chain;
        this.events = events;
        this.metrics = metrics;
        this.clock = clock;
    }

    /** Opens child builds: every candidate that an earlier process left behind is known here now. */
    public void replayEnumerated() {
        lock.lock();
        try {
            replayEnumerated = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Registers a block before it is offered to the node; without effect if it is known and not withdrawn.
     *
     * @param hash block hash
     * @param height block height
     */
    public void pending(Hash256 hash, long height) {
        put(hash, height, ParentPhase.PENDING);
    }

    /**
     * Marks a block as being accounted; reconciliation and other payout changes wait from now on.
     *
     * @param hash block hash
     * @param height block height
     */
    public void landed(Hash256 hash, long height) {
        put(hash, height, ParentPhase.LANDED);
    }

    /**
     * Takes the landed mark back: the node provably never saw the block. A preview, if any, is forgotten.
     *
     * @param hash block hash
     */
    public void unlanded(Hash256 hash) {
        lock.lock();
        try {
            ParentTransition known = transitions.get(hash);
            if (known != null && known.phase() == ParentPhase.LANDED) {
                transitions.put(hash, known.to(ParentPhase.PENDING));
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Forgets a block: the ledger has caught up, the node refused it, or it is parked on a side branch.
     *
     * @param hash block hash
     * @return the forgotten transition
     */
    public Optional<ParentTransition> cleared(Hash256 hash) {
        lock.lock();
        try {
            ParentTransition known = transitions.remove(hash);
            changed.signalAll();
            return Optional.ofNullable(known);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Marks a block as lost; its descendants are refused until it is cleared or lands again.
     *
     * @param hash block hash
     * @return the state before, so that a withdrawal can be undone
     */
    Optional<ParentTransition> withdrawn(Hash256 hash) {
        lock.lock();
        try {
            ParentTransition known = transitions.get(hash);
            if (known != null) {
                transitions.put(hash, known.to(ParentPhase.WITHDRAWN));
                changed.signalAll();
            }
            return Optional.ofNullable(known);
        } finally {
            lock.unlock();
        }
    }

    /** Puts back what {@link #withdrawn} or {@link #cleared} returned. */
    void restored(ParentTransition before) {
        lock.lock();
        try {
            transitions.put(before.hash(), before);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** What a preview did to the barrier. */
    enum Adoption {
        /** Unknown so far, or known here but not published: it has to cross the publication. */
        TO_PUBLISH,
        /** The same preview is published. */
        PUBLISHED,
        /** Another preview is known. */
        CONFLICT,
        /** The block is not being accounted. */
        UNKNOWN
    }

    /** Makes a preview available to child builds. */
    Adoption adopt(Hash256 hash, List<PriorBalance> balances) {
        lock.lock();
        try {
            ParentTransition known = transitions.get(hash);
            if (known == null || !known.landed()) {
                return Adoption.UNKNOWN;
            }
            if (known.preview().isPresent() && !known.preview().get().equals(balances)) {
                return Adoption.CONFLICT;
            }
            if (known.previewPublished()) {
                return Adoption.PUBLISHED;
            }
            transitions.put(hash, known.withPreview(balances, false));
            changed.signalAll();
            return Adoption.TO_PUBLISH;
        } finally {
            lock.unlock();
        }
    }

    void previewPublished(Hash256 hash) {
        lock.lock();
        try {
            ParentTransition known = transitions.get(hash);
            if (known != null && known.phase() == ParentPhase.PREVIEWED) {
                transitions.put(hash, known.withPreview(known.preview().orElseThrow(), true));
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns one block's transition.
     *
     * @param hash block hash
     * @return the transition, or empty if the block is unknown or cleared
     */
    public Optional<ParentTransition> transition(Hash256 hash) {
        lock.lock();
        try {
            return Optional.ofNullable(transitions.get(hash));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns every known transition.
     *
     * @return copy, oldest first
     */
    public List<ParentTransition> transitions() {
        lock.lock();
        try {
            return List.copyOf(transitions.values());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Counts the blocks that are being accounted; reconciliation is refused while there is one.
     *
     * @return blocks landed and neither cleared nor withdrawn
     */
    public int unresolved() {
        return (int) transitions().stream().filter(ParentTransition::landed).count();
    }

    /**
     * Waits until no block is being accounted.
     *
     * @param deadline latest end of the wait; passing it is no failure
     * @param cancel ends the wait
     * @return true if no block is being accounted now
     * @throws InterruptedException if the caller is interrupted while it waits
     */
    public boolean awaitUnlanded(Deadline deadline, CancelSignal cancel) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (anyLanded() && !deadline.expired() && !cancel.cancelled()) {
                long unused = changed.awaitNanos(Math.max(1, Math.min(SLICE_NANOS, deadline.remainingNanos())));
            }
            return !anyLanded();
        } finally {
            lock.unlock();
        }
    }

    private boolean anyLanded() {
        return transitions.values().stream().anyMatch(ParentTransition::landed);
    }

    /**
     * Returns the age of the oldest block that is being accounted.
     *
     * @return zero when there is none
     */
    public Duration oldestUnresolvedAge() {
        long now = clock.nanoTime();
        return Duration.ofNanos(transitions().stream()
                .filter(ParentTransition::landed)
                .mapToLong(t -> now - t.sinceNanos())
                .max()
                .orElse(0));
    }

    /**
     * Tells which balances a child of a parent starts from. Waits for a preview that is on its way, at most
     * {@link PayoutStateConfig#previewWait()} and the deadline; call it before any confirmed balance is read and with
     * no lock held.
     *
     * @param parent parent of the child
     * @param parentHeight its height
     * @param deadline bound of the whole call, chain probes included
     * @param cancel raised when the child is no longer wanted
     * @return the governing balances
     * @throws InterruptedException if the caller is interrupted while it waits
     */
    public ParentBalances balancesFor(Hash256 parent, long parentHeight, Deadline deadline, CancelSignal cancel)
            throws InterruptedException {
        Deadline wait = deadline.within(previewWait, "accepted_parent_preview");
        while (true) {
            if (cancel.cancelled()) {
                return new ParentBalances.Stopped();
            }
            Optional<ParentBalances> decided = decide(parent, parentHeight, deadline);
            if (decided.isPresent()) {
                return decided.get();
            }
            if (wait.expired()) {
                metrics.previewWaitTimeout();
                events.refreshWanted("accepted_parent_preview_late");
                return new ParentBalances.NotReady("accepted parent payout preview is not ready yet");
            }
            pause(parent, wait);
        }
    }

    /** One evaluation; empty means that a preview is awaited. */
    private Optional<ParentBalances> decide(Hash256 parent, long parentHeight, Deadline deadline) {
        List<ParentTransition> known;
        boolean enumerated;
        lock.lock();
        try {
            known = List.copyOf(transitions.values());
            enumerated = replayEnumerated;
        } finally {
            lock.unlock();
        }
        if (!enumerated) {
            return Optional.of(new ParentBalances.Blocked("block candidate replay is not enumerated yet"));
        }
        ParentSelection.Choice choice;
        try {
            choice = ParentSelection.select(known, parent, parentHeight, height -> chain.blockAt(height, deadline));
        } catch (RuntimeException unreachable) {
            return Optional.of(new ParentBalances.Blocked("active chain probe failed: " + unreachable.getMessage()));
        }
        if (known.stream().filter(ParentTransition::landed).count() >= unresolvedDepthMax) {
            return Optional.of(new ParentBalances.Blocked("too many unresolved accepted blocks"));
        }
        if (choice instanceof ParentSelection.Undecided) {
            return Optional.of(new ParentBalances.NotReady("an accepted block is not on the active chain yet"));
        }
        if (choice instanceof ParentSelection.Governed governed) {
            return forGoverning(governed.by());
        }
        return Optional.of(new ParentBalances.Confirmed());
    }

    private static Optional<ParentBalances> forGoverning(ParentTransition by) {
        if (by.phase() == ParentPhase.WITHDRAWN) {
            return Optional.of(new ParentBalances.Blocked("the accepted parent was lost"));
        }
        return by.preview().map(balances -> new ParentBalances.Preview(by.hash(), balances));
    }

    @SuppressWarnings("WaitNotInLoop") // the caller loops and evaluates again
    private void pause(Hash256 parent, Deadline wait) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            ParentTransition known = transitions.get(parent);
            if (known == null || known.preview().isEmpty()) {
                // Signalled or not, the caller evaluates again.
                long left = changed.awaitNanos(Math.max(1, Math.min(SLICE_NANOS, wait.remainingNanos())));
                assert left <= SLICE_NANOS;
            }
        } finally {
            lock.unlock();
        }
    }

    private void put(Hash256 hash, long height, ParentPhase phase) {
        lock.lock();
        try {
            ParentTransition known = transitions.get(hash);
            if (known == null) {
                transitions.put(
                        hash, new ParentTransition(hash, height, phase, Optional.empty(), false, clock.nanoTime()));
            } else if (known.phase() == ParentPhase.WITHDRAWN
                    || (known.phase() == ParentPhase.PENDING && phase == ParentPhase.LANDED)) {
                transitions.put(hash, known.to(phase));
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
