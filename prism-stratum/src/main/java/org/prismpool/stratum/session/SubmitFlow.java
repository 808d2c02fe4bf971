package org.prismpool.stratum.session;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.prismpool.stratum.FoundJob;
import org.prismpool.stratum.StratumMetrics;
import org.prismpool.stratum.codec.ParsedLine;
import org.prismpool.stratum.share.NtimeWindow;
import org.prismpool.stratum.share.Rejection;
import org.prismpool.stratum.share.TipCheck;
import org.prismpool.stratum.share.TipVerdict;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.job.BlockTerms.TimeLimits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges submits in the order of spec 02 §7.1 and hands the good ones to {@link CommitFlow}. Whether a submit is a block is
 * judged beside the verdict on the share (spec 03 §6.2). Confined to the event loop.
 */
final class SubmitFlow {

    private static final Logger LOG = LoggerFactory.getLogger(SubmitFlow.class);

    private final Session session;
    private final SessionState state;
    private final SessionServices services;
    private final CommitFlow commits;

    SubmitFlow(Session session) {
        this.session = session;
        this.state = session.state;
        this.services = session.services;
        this.commits = new CommitFlow(session);
    }

    void submit(ParsedLine.Request request, long arrivedNanos) {
        Optional<Rejection> unfit = formatFault(request);
        if (unfit.isPresent()) {
            commits.refuseEarly(request.id(), unfit.get(), arrivedNanos);
            if (unfit.get() == Rejection.WRONG_WORKER) {
                offerUnderWrongName(request, arrivedNanos);
            }
            return;
        }
        session.retargets.countSubmitted();
        services.metrics().submitted(services.labels.label(state.username));
        Optional<FoundJob> found = services.ports.directory().find(state.id, state.username, request.text(1));
        if (found.isEmpty()) {
            commits.refuseEarly(request.id(), Rejection.UNKNOWN_JOB, arrivedNanos);
            return;
        }
        classify(new SubmitAttempt(request, found.get(), arrivedNanos), tipCheck());
    }

    /** Checks 1 to 5; a submit that fails them is not counted as submitted. */
    private Optional<Rejection> formatFault(ParsedLine.Request request) {
        if (request.params().size() < 5) {
            return Optional.of(Rejection.INCOMPLETE);
        }
        if (!request.text(0).equals(state.username)) {
            return Optional.of(Rejection.WRONG_WORKER);
        }
        if (!services.ports.pool().open()) {
            return Optional.of(Rejection.POOL_CLOSED);
        }
        if (!extranonce2Fits(request)) {
            return Optional.of(Rejection.EXTRANONCE2_SIZE);
        }
        return wordsFit(request) ? Optional.empty() : Optional.of(Rejection.NTIME_NONCE_SIZE);
    }

    private boolean extranonce2Fits(ParsedLine.Request request) {
        return request.text(2).length() == 2 * services.config.jobs().extranonce2Size();
    }

    private static boolean wordsFit(ParsedLine.Request request) {
        return request.text(3).length() == 8 && request.text(4).length() == 8;
    }

    private TipCheck tipCheck() {
        return new TipCheck(
                services.ports.tips().snapshot(), Optional.empty(), Optional.empty(), state.tipWork, services.now());
    }

    private void classify(SubmitAttempt attempt, TipCheck check) {
        Hash256 parent = attempt.job().work().template().parent();
        TipVerdict verdict = check.classify(parent, !attempt.own(), services.config.shares());
        switch (verdict) {
            case NEEDS_TIP -> ask(attempt, services.ports.tips()::liveTip, Rejection.NO_TIP, check::withLive);
            case NEEDS_PARENT -> {
                Hash256 tip = check.tips().published().orElseThrow();
                ask(attempt, () -> services.ports.tips().parentOf(tip), Rejection.NO_PARENT, check::withTipParent);
            }
            case STALE -> stale(attempt, check);
            case CURRENT -> judge(attempt, check, false);
            case GRACE -> judge(attempt, check, true);
        }
    }

    /** Asks the node; meanwhile no further line of this connection is taken. */
    private void ask(
            SubmitAttempt attempt,
            Supplier<CompletionStage<Hash256>> question,
            Rejection unanswered,
            Function<Hash256, TipCheck> next) {
        commits.reserve(attempt);
        session.await();
        PortCall.of(question)
                .whenComplete((hash, fault) -> session.goOn(() -> {
                    if (state.closing) {
                        return;
                    }
                    if (fault != null) {
                        commits.refuse(attempt, unanswered);
                    } else {
                        classify(attempt, next.apply(hash));
                    }
                    session.proceed();
                }));
    }

    private void stale(SubmitAttempt attempt, TipCheck check) {
        if (check.offerable(attempt.job().work().template().parent())
                && attempt.assemble(services.assembler.get(), state.versionMask).isEmpty()) {
            offerIfSolved(attempt);
        }
        commits.refuse(attempt, Rejection.STALE_JOB);
    }

    private void judge(SubmitAttempt attempt, TipCheck check, boolean grace) {
        Optional<Rejection> malformed = attempt.assemble(services.assembler.get(), state.versionMask);
        if (malformed.isPresent()) {
            commits.refuse(attempt, malformed.get());
            return;
        }
        boolean solved = attempt.blockPass()
                && check.offerable(attempt.job().work().template().parent());
        NtimeWindow.Position time = place(attempt);
        if (time != NtimeWindow.Position.INSIDE) {
            if (solved) {
                offerIfSolved(attempt);
            }
            commits.refuse(attempt, Rejection.NTIME_RANGE);
            return;
        }
        if (!services.duplicates.reserve(attempt.job().worker().username(), attempt.hash())) {
            if (solved) {
                services.ports.candidates().wake(attempt.hash());
            }
            commits.refuse(attempt, Rejection.DUPLICATE);
            return;
        }
        if (attempt.blockPass() && !solved) {
            dropped(attempt, grace);
        }
        commits.route(attempt, solved, grace);
    }

    private NtimeWindow.Position place(SubmitAttempt attempt) {
        TimeLimits limits = attempt.job().work().template().terms().time();
        long nowSeconds = Math.floorDiv(services.ports.wallClock().millis(), 1000L);
        return NtimeWindow.place(
                attempt.ntime(),
                limits.minimum(),
                limits.current(),
                nowSeconds,
                services.config.shares().ntimeForwardSeconds(),
                limits.futureLimitSeconds());
    }

    /** Offers a block beside a refused share, unless its time is before the template's earliest: that is never valid. */
    private void offerIfSolved(SubmitAttempt attempt) {
        boolean possible = attempt.ntime()
                >= attempt.job().work().template().terms().time().minimum();
        if (attempt.blockPass() && possible) {
            services.ports.candidates().offerUncredited(commits.solve(attempt, false));
        }
    }

    private void offerUnderWrongName(ParsedLine.Request request, long arrivedNanos) {
        boolean fit = state.eligible() && services.ports.pool().open() && extranonce2Fits(request) && wordsFit(request);
        if (!fit) {
            return;
        }
        Optional<FoundJob> found = services.ports.directory().find(state.id, state.username, request.text(1));
        if (found.isEmpty()) {
            return;
        }
        SubmitAttempt attempt = new SubmitAttempt(request, found.get(), arrivedNanos);
        if (tipCheck().offerable(attempt.job().work().template().parent())
                && attempt.assemble(services.assembler.get(), state.versionMask).isEmpty()) {
            offerIfSolved(attempt);
        }
    }

    private void dropped(SubmitAttempt attempt, boolean grace) {
        if (grace) {
            services.metrics().solveDropped();
        }
        LOG.atWarn()
                .addKeyValue("hash", attempt.hash().displayHex())
                .addKeyValue("job", attempt.job().jobId())
                .addKeyValue("grace", grace)
                .log("solve is not offered: its parent is no longer the tip");
    }

    /** How the submit of a replaced job counts. */
    static Optional<StratumMetrics.EvictedJobOutcome> evictedOutcome(FoundJob found, boolean grace) {
        return switch (found.standing()) {
            case ACTIVE -> Optional.empty();
            case CROSS_CONNECTION -> Optional.of(StratumMetrics.EvictedJobOutcome.ACCEPTED_CROSS_CONNECTION);
            case RETAINED ->
                Optional.of(
                        grace
                                ? StratumMetrics.EvictedJobOutcome.CREDITED_STALE_GRACE
                                : StratumMetrics.EvictedJobOutcome.ACCEPTED_SAME_TIP);
        };
    }
}
