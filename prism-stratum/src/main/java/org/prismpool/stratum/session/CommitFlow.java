package org.prismpool.stratum.session;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.prismpool.stratum.AcceptedShare;
import org.prismpool.stratum.BlockSolve;
import org.prismpool.stratum.CommitResult;
import org.prismpool.stratum.DisconnectReason;
import org.prismpool.stratum.LandingResult;
import org.prismpool.stratum.RejectReason;
import org.prismpool.stratum.codec.ResponseWriter;
import org.prismpool.stratum.share.Rejection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes judged submits to the ledger or to the block lane and answers the miner (spec 02 §7.7, §7.8). Confined to the event
 * loop.
 */
final class CommitFlow {

    private static final Logger LOG = LoggerFactory.getLogger(CommitFlow.class);
    private static final Optional<String> GRACE = Optional.of(AcceptedShare.STALE_GRACE);

    private final Session session;
    private final SessionState state;
    private final SessionServices services;
    private final RejectBudget budget;

    CommitFlow(Session session) {
        this.session = session;
        this.state = session.state;
        this.services = session.services;
        this.budget = new RejectBudget(services.config.protocol(), services.now());
    }

    /** Keeps the place of an answer that has to wait. */
    void reserve(SubmitAttempt attempt) {
        if (attempt.slot == null) {
            attempt.slot = session.answers.reserve();
        }
    }

    /** Takes a submit that passed all checks but the target's on its route. */
    void route(SubmitAttempt attempt, boolean solved, boolean grace) {
        if (solved && attempt.job().work().labels().collection()) {
            services.metrics().collectionSolve();
        }
        if (attempt.sharePass()) {
            commit(attempt, solved, grace);
        } else if (solved) {
            land(attempt);
        } else {
            refuse(attempt, Rejection.LOW_DIFFICULTY);
        }
    }

    BlockSolve solve(SubmitAttempt attempt, boolean creditOnAccept) {
        return new BlockSolve(share(attempt, Optional.empty()), creditOnAccept);
    }

    private AcceptedShare share(SubmitAttempt attempt, Optional<String> policy) {
        return new AcceptedShare(
                attempt.submission(), services.ports.wallClock().millis(), policy);
    }

    private void commit(SubmitAttempt attempt, boolean solved, boolean grace) {
        AcceptedShare share = share(attempt, grace ? GRACE : Optional.empty());
        Optional<BlockSolve> solve = solved ? Optional.of(new BlockSolve(share, false)) : Optional.empty();
        reserve(attempt);
        CompletionStage<CommitResult> stage =
                PortCall.of(() -> services.ports.shares().commit(share, solve));
        stage.whenComplete((result, fault) -> {
            CommitResult known = fault == null ? result : failed(fault);
            boolean alive = session.goOn(() -> committed(attempt, known, solve, grace));
            if (!alive) {
                settleBlock(attempt, known, solve);
            }
        });
    }

    private static CommitResult failed(Throwable fault) {
        LOG.atError().setCause(fault).log("share commit failed unexpectedly");
        return new CommitResult.Failed("internal error", true);
    }

    private void committed(SubmitAttempt attempt, CommitResult result, Optional<BlockSolve> solve, boolean grace) {
        if (result instanceof CommitResult.Durable) {
            accept(attempt, grace);
        } else if (result instanceof CommitResult.Existing) {
            accepted(attempt);
        } else if (result instanceof CommitResult.QueueFull) {
            refuse(attempt, Rejection.QUEUE_FULL);
        } else if (result instanceof CommitResult.Failed failure) {
            refuse(attempt, Rejection.commitFailed(failure.detail()));
        } else {
            refuse(attempt, Rejection.SHUTTING_DOWN);
            session.wire.closeAfterWrites(DisconnectReason.SHUTDOWN);
        }
        settleBlock(attempt, result, solve);
        session.answered();
    }

    /** What the commit means for the duplicate index and for a block that came with it; needs no living connection. */
    private void settleBlock(SubmitAttempt attempt, CommitResult result, Optional<BlockSolve> solve) {
        boolean decided = result instanceof CommitResult.Durable durable && durable.blockDecided()
                || result instanceof CommitResult.Existing existing && existing.blockDecided();
        boolean stored = result instanceof CommitResult.Durable || result instanceof CommitResult.Existing;
        if (stored) {
            solve.filter(block -> !decided).ifPresent(services.ports.candidates()::enqueue);
            return;
        }
        services.duplicates.release(attempt.job().worker().username(), attempt.hash());
        boolean offer = result instanceof CommitResult.QueueFull
                || result instanceof CommitResult.Failed failure && failure.offerSolve();
        if (offer) {
            solve.ifPresent(services.ports.candidates()::offerUnpersisted);
        }
    }

    private void land(SubmitAttempt attempt) {
        reserve(attempt);
        BlockSolve block = solve(attempt, true);
        CompletionStage<LandingResult> stage =
                PortCall.of(() -> services.ports.candidates().submitNow(block));
        stage.whenComplete((result, fault) -> {
            LandingResult known = fault == null ? result : LandingResult.OPEN;
            if (known != LandingResult.LANDED && known != LandingResult.ALREADY_CREDITED) {
                services.duplicates.release(attempt.job().worker().username(), attempt.hash());
            }
            session.goOn(() -> landed(attempt, known));
        });
    }

    private void landed(SubmitAttempt attempt, LandingResult result) {
        switch (result) {
            case LANDED -> accept(attempt, false);
            case ALREADY_CREDITED -> accepted(attempt);
            case NOT_LANDED -> refuse(attempt, Rejection.LOW_DIFFICULTY);
            case OPEN -> refuse(attempt, Rejection.BLOCK_PENDING);
        }
        session.answered();
    }

    private void accept(SubmitAttempt attempt, boolean grace) {
        String worker = services.labels.label(attempt.job().worker().username());
        services.metrics().accepted(worker, state.listener.name(), grace);
        services.countAccepted(state.listener.name());
        SubmitFlow.evictedOutcome(attempt.found, grace).ifPresent(services.metrics()::evictedJobSubmit);
        session.retargets.countAccepted(attempt.job());
        accepted(attempt);
        session.retargets.afterAccepted();
    }

    private void accepted(SubmitAttempt attempt) {
        answer(attempt, ResponseWriter.accepted(attempt.id), true);
    }

    void refuse(SubmitAttempt attempt, Rejection rejection) {
        count(rejection);
        answer(attempt, rejection.line(attempt.id), false);
    }

    /** Refuses a submit before its job was looked up. */
    void refuseEarly(byte[] id, Rejection rejection, long arrivedNanos) {
        count(rejection);
        session.answers.answer(rejection.line(id), () -> acknowledged(false, arrivedNanos));
    }

    private void answer(SubmitAttempt attempt, byte[] line, boolean accepted) {
        if (state.closing) {
            return;
        }
        Runnable written = () -> acknowledged(accepted, attempt.arrivedNanos);
        if (attempt.slot == null) {
            session.answers.answer(line, written);
        } else {
            session.answers.complete(attempt.slot, line, written);
        }
    }

    private void acknowledged(boolean accepted, long arrivedNanos) {
        services.metrics().shareAckNanos(accepted, services.now() - arrivedNanos);
    }

    private void count(Rejection rejection) {
        RejectReason reason = rejection.reason().orElse(RejectReason.INTERNAL_ERROR);
        services.metrics().rejected(reason, session.provenLabel());
        if (budget.spend(services.now())) {
            session.throttle();
        }
    }
}
