package org.prismpool.app.composition.block;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.prismpool.lifecycle.executor.BoundedPriorityExecutor;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.DeadlineExceededException;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.BlockMismatchException;
import org.prismpool.sharewriter.CandidateState;
import org.prismpool.sharewriter.LedgerException;
import org.prismpool.sharewriter.WriterFencedException;
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
 * Carries solves to the candidate lane. Called on event loops, which it never makes wait: a solve that its commit has prepared
 * goes to the lane directly, any other is prepared on workers of its own.
 *
 * <p>Without a free worker nothing runs on the caller: a stored solve is left to the outbox, which the lane reads again; any
 * other is reported and its miner told that the outcome is open, so that it submits again.
 */
public final class SolveCandidates implements CandidateSink {

    private static final Logger LOG = LoggerFactory.getLogger(SolveCandidates.class);
    private static final int PRIORITY = 0;

    private final CandidateLane lane;
    private final CandidateOutboxRows outbox;
    private final PreparedSolves committed;
    private final CreditHolds credits;
    private final OfferView view;
    private final BoundedPriorityExecutor workers;
    private final Duration outboxTimeout;
    private final MonotonicClock clock;

    public SolveCandidates(
            CandidateLane lane,
            CandidateOutboxRows outbox,
            PreparedSolves committed,
            CreditHolds credits,
            OfferView view,
            BoundedPriorityExecutor workers,
            Duration outboxTimeout,
            MonotonicClock clock) {
        this.lane = lane;
        this.outbox = outbox;
        this.committed = committed;
        this.credits = credits;
        this.view = view;
        this.workers = workers;
        this.outboxTimeout = outboxTimeout;
        this.clock = clock;
    }

    @Override
    public void enqueue(BlockSolve solve) {
        Optional<Solves.Prepared> prepared = committed.take(solve.hash());
        if (prepared.isPresent()) {
            lane.offer(prepared.get().candidate());
            return;
        }
        later(
                solve,
                () -> lane.offer(prepare(solve, ShareCredit.COMMITTED).candidate()),
                () -> lane.wake(solve.hash())); // its intent is durable
    }

    @Override
    public CompletionStage<LandingResult> submitNow(BlockSolve solve) {
        CompletableFuture<LandingResult> answer = new CompletableFuture<>();
        later(
                solve,
                () -> {
                    CompletableFuture<?> unused = persistAndOffer(solve, ShareCredit.WHEN_LANDED)
                            .whenComplete((verdict, failure) ->
                                    answer.complete(failure != null ? LandingResult.OPEN : landing(verdict)));
                },
                () -> answer.complete(LandingResult.OPEN));
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
            return;
        }
        later(
                solve,
                () -> {
                    CompletableFuture<?> unused = persistAndOffer(solve, ShareCredit.NONE); // the lane tells of its end
                },
                () -> {}); // reported below; its submit was refused already
    }

    @Override
    public void offerUnpersisted(BlockSolve solve) {
        Optional<Solves.Prepared> prepared = committed.take(solve.hash());
        if (prepared.isPresent()) {
            lane.offerUnpersisted(prepared.get().candidate());
            return;
        }
        later(
                solve,
                () -> lane.offerUnpersisted(
                        prepare(solve, ShareCredit.COMMITTED).candidate()),
                () -> {}); // reported below; the miner has an error and submits again
    }

    @Override
    public void wake(Hash256 hash) {
        lane.wake(hash);
    }

    /** Persists an intent without a share row, then offers; a database that fails must not cost the block. */
    private CompletableFuture<CandidateVerdict> persistAndOffer(BlockSolve solve, ShareCredit credit) {
        Solves.Prepared made = prepare(solve, credit);
        Hash256 hash = made.candidate().hash();
        try {
            CandidateInsert inserted =
                    outbox.insert(made.intent(), Deadline.after(outboxTimeout, clock, "candidate-intent"));
            if (inserted.state().terminal()) {
                credits.release(hash);
                boolean submitted = inserted.state() == CandidateState.SUBMITTED;
                lane.noteEnded(hash, submitted);
                return CompletableFuture.completedFuture(
                        submitted ? CandidateVerdict.LANDED : CandidateVerdict.ABANDONED);
            }
            return lane.offer(made.candidate());
        } catch (WriterFencedException | BlockMismatchException refused) {
            // Another process owns the ledger, or holds this hash with other contents: nothing may be offered.
            report(solve, refused, "block intent refused, not offered");
            return CompletableFuture.completedFuture(CandidateVerdict.PENDING);
        } catch (LedgerException | DeadlineExceededException undecided) {
            LOG.atError()
                    .addKeyValue("hash", hash.displayHex())
                    .setCause(undecided)
                    .log("block intent not stored, offering it from the spool");
            return lane.offerUnpersisted(made.candidate());
        }
    }

    /** Prepares a solve with the stamp of its share row, or with a stamp that windows respect until it is settled. */
    private Solves.Prepared prepare(BlockSolve solve, ShareCredit credit) {
        long stamp = credit == ShareCredit.WHEN_LANDED
                ? credits.stamp(solve.hash())
                : solve.share().acceptedAtMillis();
        return Solves.prepare(solve, stamp, credit);
    }

    /** Runs the work on a worker; if that fails or there is none, reports it and runs the remedy, which returns at once. */
    private void later(BlockSolve solve, Runnable work, Runnable remedy) {
        try {
            workers.submit(PRIORITY, () -> {
                try {
                    work.run();
                } catch (RuntimeException | Error failed) {
                    report(solve, failed, "block solve not offered");
                    remedy.run();
                }
                return null;
            });
        } catch (RejectedExecutionException busy) {
            report(solve, busy, "no worker for a block solve");
            remedy.run();
        }
    }

    private void report(BlockSolve solve, Throwable cause, String message) {
        credits.release(solve.hash());
        LOG.atError()
                .addKeyValue("hash", solve.hash().displayHex())
                .setCause(cause)
                .log(message);
    }
}
