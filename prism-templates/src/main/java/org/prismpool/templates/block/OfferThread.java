package org.prismpool.templates.block;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.chain.Hash256;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread that offers blocks: it waits for the node and for nothing else. */
final class OfferThread extends Thread {

    private static final Logger LOG = LoggerFactory.getLogger(OfferThread.class);

    private final CandidateBook book;
    private final BlockOffers offers;
    private final CandidatePorts ports;
    private final MonotonicClock clock;
    private final Consumer<OfferedCandidate> handOver;
    private volatile long busySinceNanos; // written by this thread
    private volatile boolean busy; // written by this thread

    OfferThread(
            int number,
            CandidateBook book,
            BlockOffers offers,
            CandidatePorts ports,
            MonotonicClock clock,
            Consumer<OfferedCandidate> handOver) {
        super("prism-templates-offer-" + number);
        this.book = book;
        this.offers = offers;
        this.ports = ports;
        this.clock = clock;
        this.handOver = handOver;
    }

    /** Returns how long the thread has been with one candidate, zero while it waits for the next. */
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
        Hash256 hash = step.state().candidate().hash();
        Optional<OfferedCandidate> handedOver = Optional.empty();
        try {
            handedOver = perform(step);
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("block", hash.displayHex()).setCause(e).log("offer failed; it is tried again");
            book.postpone(hash);
        } finally {
            busy = false;
        }
        handedOver.ifPresent(handOver);
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
                ports.metrics().offerAnswered(clock.nanoTime() - state.origin().runnableNanos());
            }
        } else {
            outcome = new OfferOutcome.NotOffered(AbandonReason.TIP_MOVED);
        }
        logOutcome(candidate, outcome);
        return Optional.of(book.offered(candidate.hash(), outcome));
    }

    static void logOutcome(BlockCandidate candidate, OfferOutcome outcome) {
        LOG.atInfo()
                .addKeyValue("block", candidate.hash().displayHex())
                .addKeyValue("height", candidate.height())
                .addKeyValue("outcome", outcome)
                .log("block offered");
    }

    /** Waits for the thread after the book is closed; a call that outlasts the limit is interrupted. */
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
