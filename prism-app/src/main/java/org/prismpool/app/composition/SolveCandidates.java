package org.prismpool.app.composition;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.prismpool.lifecycle.executor.BoundedPriorityExecutor;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.AnchorFloor;
import org.prismpool.sharewriter.LedgerException;
import org.prismpool.sharewriter.block.CandidateInsert;
import org.prismpool.sharewriter.block.CandidateOutboxRows;
import org.prismpool.stratum.BlockSolve;
import org.prismpool.stratum.CandidateSink;
import org.prismpool.stratum.LandingResult;
import org.prismpool.templates.block.BlockCandidate.ShareCredit;
import org.prismpool.templates.block.CandidateLane;
import org.prismpool.templates.block.CandidateVerdict;
import org.prismpool.templates.block.OfferView;
import org.prismpool.templates.chain.Hash256;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries solves to the candidate lane. Called on event loops; assembling and outbox writes run on workers, and a solve that
 * cannot even be queued there is offered unpersisted rather than lost.
 */
final class SolveCandidates implements CandidateSink {

    private static final Logger LOG = LoggerFactory.getLogger(SolveCandidates.class);
    private static final int PRIORITY = 0;

    private final CandidateLane lane;
    private final CandidateOutboxRows outbox;
    private final AnchorFloor floor;
    private final OfferView view;
    private final BoundedPriorityExecutor workers;
    private final Duration outboxTimeout;
    private final MonotonicClock clock;
    private final Runnable droppedDead;

    SolveCandidates(
            CandidateLane lane,
            CandidateOutboxRows outbox,
            AnchorFloor floor,
            OfferView view,
            BoundedPriorityExecutor workers,
            Duration outboxTimeout,
            MonotonicClock clock,
            Runnable droppedDead) {
        this.lane = lane;
        this.outbox = outbox;
        this.floor = floor;
        this.view = view;
        this.workers = workers;
        this.outboxTimeout = outboxTimeout;
        this.clock = clock;
        this.droppedDead = droppedDead;
    }

    @Override
    public void enqueue(BlockSolve solve) {
        // The durable row carries the intent; the lane needs the same candidate in memory.
        later(solve, () -> lane.offer(prepared(solve, ShareCredit.COMMITTED).candidate()));
    }

    @Override
    public CompletionStage<LandingResult> submitNow(BlockSolve solve) {
        CompletableFuture<LandingResult> answer = new CompletableFuture<>();
        later(solve, () -> {
            CompletableFuture<?> unused = persistAndOffer(solve, ShareCredit.WHEN_LANDED)
                    .whenComplete((verdict, failure) ->
                            answer.complete(failure != null ? LandingResult.OPEN : landing(verdict)));
        });
        return answer;
    }

    private static LandingResult landing(CandidateVerdict verdict) {
        return switch (verdict) {
            case LANDED -> LandingResult.LANDED;
            case ABANDONED -> LandingResult.NOT_LANDED;
            case PENDING -> LandingResult.OPEN;
        };
    }

    @Override
    public void offerUncredited(BlockSolve solve) {
        if (Solves.deadParent(solve, view.detectedTip(), view.publishedTip())) {
            droppedDead.run();
            return;
        }
        later(solve, () -> {
            CompletableFuture<?> unused = persistAndOffer(solve, ShareCredit.NONE); // the lane tells of its end
        });
    }

    @Override
    public void offerUnpersisted(BlockSolve solve) {
        later(
                solve,
                () -> lane.offerUnpersisted(
                        prepared(solve, ShareCredit.COMMITTED).candidate()));
    }

    @Override
    public void wake(Hash256 hash) {
        // A pending candidate comes back by itself: its retries are paced, at most 30 s apart.
    }

    /** Persists an intent without a share row, then offers; a database that fails must not cost the block. */
    private CompletableFuture<CandidateVerdict> persistAndOffer(BlockSolve solve, ShareCredit credit) {
        try (HeldStamp stamp = new HeldStamp(floor.hold())) {
            Solves.Prepared made = Solves.prepare(solve, stamp.hold().acceptedAtMs(), credit);
            try {
                CandidateInsert inserted =
                        outbox.insert(made.intent(), Deadline.after(outboxTimeout, clock, "candidate-intent"));
                if (inserted.state().terminal()) {
                    boolean submitted = inserted.state().text().equals("submitted");
                    lane.noteEnded(made.candidate().hash(), submitted);
                    return CompletableFuture.completedFuture(
                            submitted ? CandidateVerdict.LANDED : CandidateVerdict.ABANDONED);
                }
                return lane.offer(made.candidate());
            } catch (LedgerException undecided) {
                LOG.atError()
                        .addKeyValue("hash", made.candidate().hash().displayHex())
                        .setCause(undecided)
                        .log("block intent not stored, offering it from the spool");
                return lane.offerUnpersisted(made.candidate());
            }
        }
    }

    private Solves.Prepared prepared(BlockSolve solve, ShareCredit credit) {
        return Solves.prepare(solve, solve.share().acceptedAtMillis(), credit);
    }

    private void later(BlockSolve solve, Runnable work) {
        try {
            workers.submit(PRIORITY, () -> {
                try {
                    work.run();
                } catch (RuntimeException failed) {
                    LOG.atError()
                            .addKeyValue("hash", solve.hash().displayHex())
                            .setCause(failed)
                            .log("block solve not offered");
                }
                return null;
            });
        } catch (RejectedExecutionException busy) {
            LOG.atError()
                    .addKeyValue("hash", solve.hash().displayHex())
                    .setCause(busy)
                    .log("no worker for a block solve; offering inline");
            work.run();
        }
    }

    private record HeldStamp(AnchorFloor.Hold hold) implements AutoCloseable {
        @Override
        public void close() {
            hold.release();
        }
    }
}
