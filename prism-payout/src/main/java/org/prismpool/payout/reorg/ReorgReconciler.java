package org.prismpool.payout.reorg;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.prismpool.lifecycle.event.OutageLog;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.state.BalanceSerializer;
import org.prismpool.payout.state.ParentTransition;
import org.prismpool.payout.state.PayoutCause;
import org.prismpool.payout.state.PayoutState;
import org.prismpool.payout.state.PublishOutcome;
import org.prismpool.templates.chain.Hash256;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Proves for a tip that block rows agree with the chain, changes them where they don't, and publishes the payout state
 * that follows. One pass at a time, on a thread of its own or on the block finalizer's.
 *
 * <p>Thread-safe. {@link #prove} and {@link #fresh} return at once; a pass ends within its configured time.
 */
public final class ReorgReconciler implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReorgReconciler.class);
    private static final String RECONCILIATION = "chain_reconciliation";

    private static final Duration CONFIRMATION_WAIT = Duration.ofSeconds(2);

    private final OutageLog outages = new OutageLog(LOG, "pass");
    private final ReconcileConfig config;
    private final ReconcilePorts ports;
    private final PayoutState payout;
    private final BalanceSerializer serializer;
    private final MonotonicClock clock;
    private final ReconcileMemo memo;
    private final CancelSource stop = new CancelSource();
    private final ThreadPoolExecutor worker;
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<Flight> flight = Optional.empty(); // guarded by lock
    private volatile long lastMatureNanos;
    private volatile boolean matureChecked;

    private record Flight(Hash256 tip, boolean provesAgain, CompletableFuture<ReconcileOutcome> outcome) {}

    /**
     * Creates a reconciler; its thread starts with the first pass.
     *
     * @param config settings
     * @param ports what it needs of others
     * @param payout payout state
     * @param serializer turn for balance mutations, shared with the block finalizer
     * @param clock monotonic clock
     */
    public ReorgReconciler(
            ReconcileConfig config,
            ReconcilePorts ports,
            PayoutState payout,
            BalanceSerializer serializer,
            MonotonicClock clock) {
        this.config = config;
        this.ports = ports;
        this.payout = payout;
        this.serializer = serializer;
        this.clock = clock;
        this.memo = new ReconcileMemo(config.memo(), clock);
        this.worker = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(4), task -> {
            Thread thread = new Thread(task, "prism-payout-reconcile");
            thread.setDaemon(true);
            return thread;
        });
        worker.allowCoreThreadTimeOut(true);
    }

    /**
     * Tells whether a tip was proven recently.
     *
     * @param tip the tip
     * @return true if no pass is needed
     */
    public boolean fresh(Hash256 tip) {
        return memo.fresh(tip);
    }

    /**
     * Forgets the proofs of all other tips, since a tip was detected.
     *
     * @param tip the detected tip
     */
    public void keepOnly(Hash256 tip) {
        memo.keepOnly(tip);
    }

    /**
     * Proves a tip, or joins the pass under way for it.
     *
     * @param tip the tip
     * @param again proves even if a proof is remembered
     * @return future of the outcome; fails if the pass failed. Cancelling it only detaches from it
     */
    public CompletableFuture<ReconcileOutcome> prove(Hash256 tip, boolean again) {
        if (!again && memo.fresh(tip)) {
            return CompletableFuture.completedFuture(new ReconcileOutcome.Reconciled(ReconcileSummary.NOTHING));
        }
        Flight mine;
        lock.lock();
        try {
            Optional<Flight> shared = flight.filter(f -> f.tip().equals(tip) && (!again || f.provesAgain()));
            if (shared.isPresent()) {
                return shared.get().outcome().copy();
            }
            mine = new Flight(tip, again, new CompletableFuture<>());
            flight = Optional.of(mine);
        } finally {
            lock.unlock();
        }
        try {
            worker.execute(() -> fly(mine));
        } catch (RejectedExecutionException full) {
            land(mine);
            mine.outcome().completeExceptionally(full);
        }
        return mine.outcome().copy();
    }

    /**
     * Proves a tip on the caller's thread, which holds the turn for balance mutations.
     *
     * @param tip the tip
     * @param accounted block that the caller is accounting; its own transition does not stand in the way
     * @param deadline latest end
     * @return the outcome
     * @throws InterruptedException if the caller is interrupted
     */
    public ReconcileOutcome proveHoldingTurn(Hash256 tip, Hash256 accounted, Deadline deadline)
            throws InterruptedException {
        if (memo.fresh(tip)) {
            return new ReconcileOutcome.Reconciled(ReconcileSummary.NOTHING);
        }
        ReconcileOutcome outcome = pass(tip, Optional.of(accounted), deadline);
        if (outcome.trusted() && memo.overtaken(tip)) {
            // Own blocks are detected while they are accounted: a proof that counts lets work on them go out at once.
            return pass(tip, Optional.of(accounted), deadline);
        }
        return outcome;
    }

    private void fly(Flight mine) {
        Deadline deadline = Deadline.after(config.passTimeout(), clock, "reorg_reconcile");
        try {
            awaitConfirmation(mine, deadline);
            BalanceSerializer.Turn turn = serializer.enter(deadline);
            ReconcileOutcome outcome;
            try {
                outcome = served(mine)
                        ? new ReconcileOutcome.Reconciled(ReconcileSummary.NOTHING)
                        : pass(mine.tip(), Optional.empty(), deadline);
            } finally {
                turn.close();
            }
            land(mine);
            mine.outcome().complete(outcome);
        } catch (InterruptedException | RuntimeException failed) {
            land(mine);
            mine.outcome().completeExceptionally(failed);
            if (failed instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A block that is being accounted is waited for a moment: its end is near, and until then nothing can be proven. */
    private void awaitConfirmation(Flight mine, Deadline deadline) throws InterruptedException {
        if (!served(mine)) {
            boolean unlanded = payout.parents()
                    .awaitUnlanded(deadline.within(CONFIRMATION_WAIT, "accepted_block_confirmation"), stop);
            LOG.atDebug().addKeyValue("resolved", unlanded).log("accepted blocks awaited");
        }
    }

    /** Whether the landing of a block has proven the tip while this flight waited for its turn. */
    private boolean served(Flight mine) {
        return !mine.provesAgain() && memo.fresh(mine.tip());
    }

    @SuppressWarnings("ReferenceEquality") // a later flight of the same tip is another one
    private void land(Flight mine) {
        lock.lock();
        try {
            flight = flight.filter(f -> f != mine);
        } finally {
            lock.unlock();
        }
    }

    private ReconcileOutcome pass(Hash256 tip, Optional<Hash256> accounted, Deadline deadline)
            throws InterruptedException {
        ReconcileOutcome outcome = new ReconcileOutcome.Superseded(ReconcileSummary.NOTHING);
        for (int attempt = 0; attempt <= config.publishRetries(); attempt++) {
            outcome = onePass(tip, accounted, deadline);
            if (!(outcome instanceof ReconcileOutcome.Superseded)) {
                return outcome;
            }
        }
        return outcome;
    }

    private ReconcileOutcome onePass(Hash256 tip, Optional<Hash256> accounted, Deadline deadline)
            throws InterruptedException {
        boolean pending = payout.parents().transitions().stream()
                .filter(ParentTransition::landed)
                .anyMatch(t -> !accounted.equals(Optional.of(t.hash())));
        if (pending) {
            return new ReconcileOutcome.ConfirmationPending();
        }
        long epoch = memo.epoch();
        ReconcilePass pass = new ReconcilePass(ports);
        try {
            Optional<String> distrust = ports.chain().distrust(deadline);
            if (distrust.isPresent()) {
                ports.metrics().skipped();
                return new ReconcileOutcome.Untrusted(distrust.get());
            }
            ReconcileSummary summary = pass.run(deadline);
            watchMature(pass, deadline);
            ReconcileOutcome outcome = publish(tip, epoch, accounted, summary, deadline);
            outages.answered(RECONCILIATION, "reorganisation passes succeed again");
            return outcome;
        } catch (RuntimeException failed) {
            failed(tip, pass, failed);
            throw failed;
        }
    }

    private ReconcileOutcome publish(
            Hash256 tip, long epoch, Optional<Hash256> accounted, ReconcileSummary summary, Deadline deadline)
            throws InterruptedException {
        ReconcileSummary result = summary;
        if (summary.changed()) {
            payout.supersede(tip, PayoutCause.RECONCILIATION); // delivery closes before anyone can use the old balances
        }
        // While a block is accounted its preview is published next; it opens delivery again.
        if (accounted.isEmpty()) {
            PublishOutcome published = payout.publishCurrent(false, deadline, stop);
            if (published instanceof PublishOutcome.Superseded) {
                return new ReconcileOutcome.Superseded(summary);
            }
            if (!published.current()) {
                throw new IllegalStateException("payout state not published after reconciliation: " + published);
            }
            if (published instanceof PublishOutcome.Published done) {
                result = summary.published(done.state().generation());
            }
        }
        memo.remember(tip, epoch, summary.changed());
        return new ReconcileOutcome.Reconciled(result);
    }

    /** A change may have been committed although its reply was lost: nothing is served from before it. */
    private void failed(Hash256 tip, ReconcilePass pass, RuntimeException failed) {
        ports.metrics().failed();
        memo.clear();
        if (pass.touched()) {
            payout.supersede(tip, PayoutCause.RECONCILIATION);
        }
        outages.failed(Level.WARN, RECONCILIATION, "reorganisation pass failed", failed);
    }

    private void watchMature(ReconcilePass pass, Deadline deadline) {
        long now = clock.nanoTime();
        if (matureChecked && now - lastMatureNanos < config.matureInterval().toNanos()) {
            return;
        }
        lastMatureNanos = now;
        matureChecked = true;
        pass.matureOffChain(deadline);
    }

    /** Stops after the step in progress; open proofs fail. */
    @Override
    public void close() {
        stop.cancel("shutdown");
        worker.shutdownNow();
        join(worker);
        lock.lock();
        try {
            flight.ifPresent(f -> f.outcome().completeExceptionally(new IllegalStateException("reconciler closed")));
            flight = Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private static void join(ExecutorService executor) {
        try {
            if (!executor.awaitTermination(2, TimeUnit.SECONDS)) {
                LOG.atWarn().log("reorganisation pass did not stop in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
