package org.prismpool.app.composition.block;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.prismpool.lifecycle.executor.BoundedPriorityExecutor;
import org.prismpool.lifecycle.shutdown.ShutdownInProgressException;
import org.prismpool.lifecycle.shutdown.WriterAdmission;
import org.prismpool.lifecycle.shutdown.WriterComponent;
import org.prismpool.lifecycle.shutdown.WriterTicket;
import org.prismpool.sharewriter.AnchorFloor;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.AppendResult;
import org.prismpool.sharewriter.CandidateState;
import org.prismpool.sharewriter.ShareWriter;
import org.prismpool.stratum.AcceptedShare;
import org.prismpool.stratum.BlockSolve;
import org.prismpool.stratum.CommitResult;
import org.prismpool.stratum.ShareSink;
import org.prismpool.templates.block.BlockCandidate;

/**
 * Makes accepted shares durable through the share writer, inside the writer barrier and with a stamp that live windows respect.
 *
 * <p>Called on event loops. A share with a solve is prepared on a worker, since assembling a block takes its time.
 */
public final class ShareCommits implements ShareSink {

    private static final int SOLVE_PRIORITY = 0;

    private final ShareWriter writer;
    private final AnchorFloor floor;
    private final WriterAdmission admission;
    private final PreparedSolves solves;
    private final BoundedPriorityExecutor workers;

    /**
     * Creates the adapter.
     *
     * @param writer makes shares durable
     * @param floor stamps them
     * @param admission the writer barrier
     * @param solves where a solve is kept from its commit until it is offered
     * @param workers prepare solves
     */
    public ShareCommits(
            ShareWriter writer,
            AnchorFloor floor,
            WriterAdmission admission,
            PreparedSolves solves,
            BoundedPriorityExecutor workers) {
        this.writer = writer;
        this.floor = floor;
        this.admission = admission;
        this.solves = solves;
        this.workers = workers;
    }

    @Override
    public CompletionStage<CommitResult> commit(AcceptedShare share, Optional<BlockSolve> solve) {
        WriterTicket ticket;
        try {
            ticket = admission.reserve(WriterComponent.SHARE_PERSISTENCE);
        } catch (ShutdownInProgressException closing) {
            return CompletableFuture.completedFuture(new CommitResult.ShuttingDown());
        }
        AnchorFloor.Hold hold = floor.hold();
        CompletionStage<AppendResult> appended;
        try {
            appended = solve.isPresent()
                    ? prepared(solve.get(), hold).thenCompose(entry -> writer.submit(entry, hold))
                    : writer.submit(AppendEntry.share(Solves.pending(share, hold.acceptedAtMs())), hold);
        } catch (RuntimeException notQueued) {
            hold.release();
            ticket.close();
            return CompletableFuture.completedFuture(
                    new CommitResult.Failed(String.valueOf(notQueued.getMessage()), true));
        }
        return appended.handle((result, failure) -> {
            hold.release();
            ticket.close();
            CommitResult answer = failure == null ? answer(result) : failed(failure);
            solve.filter(block -> !offeredNext(answer)).ifPresent(block -> solves.take(block.hash()));
            return answer;
        });
    }

    /** Whether the session goes on to offer the solve; otherwise nobody will ask for it. */
    private static boolean offeredNext(CommitResult answer) {
        if (answer instanceof CommitResult.Durable durable) {
            return !durable.blockDecided();
        }
        if (answer instanceof CommitResult.Existing existing) {
            return !existing.blockDecided();
        }
        return answer instanceof CommitResult.QueueFull
                || answer instanceof CommitResult.Failed failed && failed.offerSolve();
    }

    private CompletionStage<AppendEntry> prepared(BlockSolve solve, AnchorFloor.Hold hold) {
        CompletableFuture<AppendEntry> promise = new CompletableFuture<>();
        try {
            workers.submit(SOLVE_PRIORITY, () -> {
                try {
                    Solves.Prepared made =
                            Solves.prepare(solve, hold.acceptedAtMs(), BlockCandidate.ShareCredit.COMMITTED);
                    solves.keep(made);
                    promise.complete(
                            AppendEntry.solve(Solves.pending(solve.share(), hold.acceptedAtMs()), made.intent()));
                } catch (RuntimeException | Error failed) {
                    promise.completeExceptionally(failed);
                }
                return null;
            });
        } catch (RejectedExecutionException busy) {
            promise.completeExceptionally(busy);
        }
        return promise;
    }

    private static CommitResult answer(AppendResult result) {
        return result.fold(
                fresh -> new CommitResult.Durable(decided(fresh.candidate())),
                replayed -> new CommitResult.Existing(decided(replayed.candidate())),
                conflict -> new CommitResult.Failed(conflict.message(), false),
                ShareCommits::failed);
    }

    /** A solve that could not be prepared; without a free worker it is told like a full commit queue. */
    private static CommitResult failed(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof RejectedExecutionException
                ? new CommitResult.QueueFull()
                : new CommitResult.Failed(String.valueOf(cause.getMessage()), true);
    }

    private static CommitResult failed(AppendResult.Failed failed) {
        return switch (failed.reason()) {
            case QUEUE_FULL -> new CommitResult.QueueFull();
            case CLOSED -> new CommitResult.ShuttingDown();
            case FENCED -> new CommitResult.Failed(failed.message(), false);
            case COMMIT_FAILED -> new CommitResult.Failed(failed.message(), true);
        };
    }

    private static boolean decided(Optional<CandidateState> state) {
        return state.map(CandidateState::terminal).orElse(false);
    }
}
