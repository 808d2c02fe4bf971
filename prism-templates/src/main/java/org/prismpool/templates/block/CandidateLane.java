package org.prismpool.templates.block;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
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
    private volatile List<OfferThread> offerThreads = List.of(); // written by start() only
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
        offerThreads = IntStream.rangeClosed(1, OFFER_THREADS)
                .mapToObj(number -> new OfferThread(number, book, offers, ports, clock, this::handOver))
                .toList();
        offerThreads.forEach(Thread::start);
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
     * Wakes a pending block because its solve was submitted again: a paced retry becomes due now, and a block that only
     * the outbox knows is read from it. Without effect on a block that has ended. Returns at once.
     *
     * @param hash block hash
     */
    public void wake(Hash256 hash) {
        if (!book.hasten(hash)) {
            keeper.requestReread();
        }
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
        OfferThread.logOutcome(candidate, outcome);
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
        return LaneSnapshot.of(book.states(), config, clock.nanoTime(), outbox.enumerated(), !book.poolClosed());
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
}
