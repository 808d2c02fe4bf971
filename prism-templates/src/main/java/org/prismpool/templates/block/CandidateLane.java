package org.prismpool.templates.block;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.DeadlineExceededException;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.chain.Hash256;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns found blocks from their discovery to their terminal state: offers each to the node before anything else, keeps
 * what happened to it, and hands it to accounting until that settles it.
 *
 * <p>Thread-safe. Owns two offer threads {@code prism-templates-offer-N}, which touch no database, one thread
 * {@code prism-templates-outbox} for the outbox and parked blocks, and while needed one {@code prism-templates-spool};
 * {@link #close} joins them.
 */
public final class CandidateLane implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CandidateLane.class);
    private static final int OFFER_THREADS = 2;
    private static final int HELD_LIMIT = 32;
    private static final Duration CLOSE_GRACE = Duration.ofSeconds(2);

    private final CandidatePorts ports;
    private final LaneConfig config;
    private final MonotonicClock clock;
    private final CandidateBook book;
    private final BlockOffers offers;
    private final AcceptanceEvidence evidence;
    private final OutboxReader outbox;
    private final OutboxKeeper keeper;
    private final SpoolWriter spool;
    private final List<OfferThread> offerThreads = new ArrayList<>(); // written by start() only
    private final AtomicBoolean started = new AtomicBoolean();

    /**
     * Creates a lane; nothing runs before {@link #start}.
     *
     * @param config settings
     * @param ports what the lane needs of others
     * @param clock clock of pauses and windows
     */
    public CandidateLane(LaneConfig config, CandidatePorts ports, MonotonicClock clock) {
        this.ports = ports;
        this.config = config;
        this.clock = clock;
        this.book = new CandidateBook(config, clock);
        this.offers = new BlockOffers(ports, config, clock);
        this.evidence = new AcceptanceEvidence(ports.node(), book, ports.metrics());
        this.outbox = new OutboxReader(ports, book, config);
        this.spool = new SpoolWriter(outbox);
        ParkedBlocks parked = new ParkedBlocks(ports.node(), book, this::handOver);
        this.keeper = new OutboxKeeper(outbox, parked, book, config, clock, this::checkStuckThreads);
    }

    /**
     * Starts the threads.
     *
     * @throws IllegalStateException if called twice
     */
    public void start() {
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException("candidate lane is started already");
        }
        for (int i = 1; i <= OFFER_THREADS; i++) {
            OfferThread thread = new OfferThread(i);
            offerThreads.add(thread);
            thread.start();
        }
        keeper.start();
    }

    /**
     * Reads the outbox of earlier processes. Job builds wait until this has succeeded once ({@link
     * LaneSnapshot#enumerated}); when the deadline passes first, the lane goes on trying by itself.
     *
     * @param deadline latest end of this attempt
     * @return true if the outbox was read to its end
     * @throws RuntimeException a failure of the outbox other than the deadline: the process can't go on
     */
    public boolean replay(Deadline deadline) {
        try {
            keeper.enumerate(deadline);
            return true;
        } catch (DeadlineExceededException e) {
            LOG.atWarn().addKeyValue("reason", e.getMessage()).log("block outbox not enumerated yet");
            return false;
        }
    }

    /**
     * Takes a found block whose intent is durable. Returns at once.
     *
     * @param candidate the block
     * @return what can be told to its sender: complete when the block is settled for the first time
     */
    @CanIgnoreReturnValue
    public CompletableFuture<CandidateVerdict> offer(BlockCandidate candidate) {
        if (heldForOffer() >= HELD_LIMIT) {
            // The outbox holds the block: it is read again when there is room.
            ports.metrics().wakeupCoalesced();
            keeper.requestReread();
            return CompletableFuture.completedFuture(CandidateVerdict.PENDING);
        }
        return admitLive(candidate);
    }

    /**
     * Takes a found block whose intent the database did not take: it is offered at once and written to the spool at the
     * same time. Returns at once.
     *
     * @param candidate the block
     * @return what can be told to its sender
     */
    @CanIgnoreReturnValue
    public CompletableFuture<CandidateVerdict> offerUnpersisted(BlockCandidate candidate) {
        spool.write(candidate);
        return admitLive(candidate);
    }

    private CompletableFuture<CandidateVerdict> admitLive(BlockCandidate candidate) {
        CandidateBook.Arrival arrival = book.admitLive(candidate);
        if (arrival.admission() == CandidateRegistry.Admission.ADMITTED) {
            ports.metrics().candidateArrived();
        } else {
            ports.metrics().wakeupCoalesced();
        }
        return arrival.verdict();
    }

    private long heldForOffer() {
        return book.states().stream()
                .filter(state -> state.phase() == CandidateState.Phase.QUEUED)
                .count();
    }

    /**
     * Notes a terminal state that the database knows already, so that the same solve is not offered again.
     *
     * @param hash block hash
     * @param submitted true if the row ended as an accounted block
     */
    public void noteEnded(Hash256 hash, boolean submitted) {
        book.rememberEnd(hash, submitted);
    }

    /**
     * Notes that a hash was seen as the node's tip, on any channel. Returns at once.
     *
     * @param hash tip
     */
    public void observeTip(Hash256 hash) {
        book.observeTip(hash).ifPresent(this::handOver);
    }

    /**
     * Notes a published tip; parked blocks are looked at once for it. Returns at once.
     *
     * @param hash tip
     * @param height its height
     */
    public void publishedTip(Hash256 hash, long height) {
        observeTip(hash);
        keeper.probeParked(height);
    }

    /**
     * Offers a candidate from the accounting thread, after that has checked window, lease and epoch.
     *
     * @param candidate a candidate handed over with {@link OfferOutcome.Unoffered}
     * @param deadline latest end
     * @return the node's answer, or {@link OfferOutcome.NotOffered} if the parent is dead
     */
    public OfferOutcome offerFromAccounting(BlockCandidate candidate, Deadline deadline) {
        OfferOutcome outcome = offers.parentAlive(candidate.parent())
                ? offers.submit(candidate, deadline.within(config.submitTimeout(), "block offer"))
                : new OfferOutcome.NotOffered(AbandonReason.TIP_MOVED);
        book.offeredByAccounting(candidate.hash(), outcome);
        logOutcome(candidate, outcome);
        return outcome;
    }

    /**
     * Ends a pass of accounting; to be called once for each hand-over, from any thread. Without effect for a candidate
     * that is not in accounting.
     *
     * @param hash block hash
     * @param result how the pass ended
     */
    public void settle(Hash256 hash, AccountingResult result) {
        CandidateBook.Settled settled = book.settle(hash, result);
        CandidateRegistry.Settlement settlement = settled.settlement();
        if (settlement.releaseBarrier()) {
            ports.barrier().release(hash);
        }
        settlement.abandoned().ifPresent(ports.metrics()::abandoned);
        if (result instanceof AccountingResult.Retry) {
            ports.metrics().retried();
        }
        CandidateVerdict verdict = verdictOf(result);
        settled.waiters().forEach(waiter -> waiter.complete(verdict));
        if (settlement.limitReached() && config.stopAfterBlock()) {
            ports.alarms().blockLimitReached();
        }
    }

    private static CandidateVerdict verdictOf(AccountingResult result) {
        if (result instanceof AccountingResult.Submitted) {
            return CandidateVerdict.LANDED;
        }
        return result instanceof AccountingResult.Abandoned ? CandidateVerdict.ABANDONED : CandidateVerdict.PENDING;
    }

    /**
     * Returns the judge of abandonments.
     *
     * @return evidence of this lane
     */
    public AcceptanceEvidence evidence() {
        return evidence;
    }

    /**
     * Returns the numbers of this moment.
     *
     * @return a copy
     */
    public LaneSnapshot snapshot() {
        long now = clock.nanoTime();
        int pending = 0;
        int parked = 0;
        OptionalLong oldest = OptionalLong.empty();
        OptionalLong unattempted = OptionalLong.empty();
        OptionalLong backoff = OptionalLong.empty();
        OptionalLong remaining = OptionalLong.empty();
        for (CandidateState state : book.states()) {
            if (state.phase() == CandidateState.Phase.PARKED) {
                parked++;
                continue;
            }
            pending++;
            long age = now - state.origin().runnableNanos();
            oldest = OptionalLong.of(Math.max(age, oldest.orElse(0)));
            if (state.trail().passes() == 0) {
                unattempted = OptionalLong.of(Math.max(age, unattempted.orElse(0)));
            }
            if (state.phase() == CandidateState.Phase.QUEUED && state.trail().retries() > 0) {
                long left = Math.max(0, state.trail().notBeforeNanos() - now);
                remaining = OptionalLong.of(Math.min(left, remaining.orElse(Long.MAX_VALUE)));
                long pause = new RetryPacing(
                                config.retryFirst().toNanos(),
                                config.retryLongest().toNanos())
                        .delayNanos(state.trail().retries());
                backoff = OptionalLong.of(Math.max(pause, backoff.orElse(0)));
            }
        }
        return new LaneSnapshot(
                pending, parked, oldest, unattempted, backoff, remaining, outbox.enumerated(), !book.poolClosed());
    }

    private void handOver(OfferedCandidate candidate) {
        try {
            ports.accounting().account(candidate);
        } catch (RuntimeException e) {
            Hash256 hash = candidate.candidate().hash();
            LOG.atError().addKeyValue("block", hash.displayHex()).setCause(e).log("accounting refused a hand-over");
            settle(hash, new AccountingResult.Retry(AccountingResult.RetryReason.INTERNAL_ERROR, "hand-over failed"));
        }
    }

    private static void logOutcome(BlockCandidate candidate, OfferOutcome outcome) {
        LOG.atInfo()
                .addKeyValue("block", candidate.hash().displayHex())
                .addKeyValue("height", candidate.height())
                .addKeyValue("outcome", outcome)
                .log("block offered");
    }

    /** All offer threads stuck in calls beyond their deadline means that new blocks can't be offered any more. */
    private void checkStuckThreads() {
        long now = clock.nanoTime();
        boolean allStuck = offerThreads.stream()
                .allMatch(thread -> thread.busyNanos(now) >= config.stuckLimit().toNanos());
        if (allStuck && !offerThreads.isEmpty()) {
            ports.alarms().restartRequired("all offer threads are stuck in node calls");
        }
    }

    /** Stops offering, waits for offers under way and joins the threads, within a few seconds. */
    @Override
    public void close() {
        book.close();
        spool.close();
        keeper.close();
        Duration limit = config.submitTimeout().plus(CLOSE_GRACE);
        offerThreads.forEach(thread -> thread.joinWithin(limit));
        offers.close();
    }

    /** Lets the threads look at the clock, for tests that move it by hand. */
    void wake() {
        book.wake();
        keeper.wake();
    }

    /** One offer thread. */
    private final class OfferThread extends Thread {

        private volatile long busySinceNanos; // written by this thread
        private volatile boolean busy; // written by this thread

        OfferThread(int number) {
            super("prism-templates-offer-" + number);
        }

        long busyNanos(long now) {
            return busy ? now - busySinceNanos : 0;
        }

        @Override
        public void run() {
            try {
                while (!book.closedForGood()) {
                    ports.alarms().heartbeat();
                    Optional<CandidateRegistry.Step> step = book.awaitStep();
                    step.ifPresent(this::runStep);
                }
            } catch (InterruptedException e) {
                LOG.atDebug().log("offer thread interrupted; it ends");
            }
        }

        private void runStep(CandidateRegistry.Step step) {
            busySinceNanos = clock.nanoTime();
            busy = true;
            BlockCandidate candidate = step.state().candidate();
            try {
                perform(step).ifPresent(CandidateLane.this::handOver);
            } catch (RuntimeException e) {
                LOG.atError()
                        .addKeyValue("block", candidate.hash().displayHex())
                        .setCause(e)
                        .log("offer failed; it is tried again");
                book.postpone(candidate.hash());
            } finally {
                busy = false;
            }
        }

        private Optional<OfferedCandidate> perform(CandidateRegistry.Step step) {
            Hash256 hash = step.state().candidate().hash();
            return switch (step.kind()) {
                case REUSE -> Optional.of(book.reused(hash));
                case HAND_OVER -> Optional.of(book.offered(hash, new OfferOutcome.Unoffered()));
                case CLOSED -> Optional.of(book.offered(hash, new OfferOutcome.NotOffered(AbandonReason.POOL_CLOSED)));
                case OFFER -> offer(step.state());
            };
        }

        private Optional<OfferedCandidate> offer(CandidateState state) {
            BlockCandidate candidate = state.candidate();
            if (ports.view().writerLeaseLost()) {
                book.postpone(candidate.hash());
                return Optional.empty();
            }
            boolean offeredHere = state.outcome().filter(OfferOutcome::offered).isPresent();
            OfferOutcome outcome;
            if (offeredHere || offers.parentAlive(candidate.parent())) {
                ports.barrier().arm(candidate.hash(), candidate.height());
                outcome = offers.submit(candidate);
                if (!(outcome instanceof OfferOutcome.Undecided)) {
                    ports.metrics()
                            .offerAnswered(clock.nanoTime() - state.origin().runnableNanos());
                }
            } else {
                outcome = new OfferOutcome.NotOffered(AbandonReason.TIP_MOVED);
            }
            logOutcome(candidate, outcome);
            return Optional.of(book.offered(candidate.hash(), outcome));
        }

        void joinWithin(Duration limit) {
            try {
                join(limit.toMillis());
                if (isAlive()) {
                    LOG.atWarn().addKeyValue("thread", getName()).log("offer thread did not end in time");
                    interrupt();
                    join(TimeUnit.SECONDS.toMillis(1));
                }
            } catch (InterruptedException e) {
                interrupt();
                Thread.currentThread().interrupt();
            }
        }
    }
}
