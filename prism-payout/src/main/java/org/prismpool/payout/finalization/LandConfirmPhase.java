package org.prismpool.payout.finalization;

import java.util.List;
import java.util.Optional;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.state.BalanceSerializer;
import org.prismpool.payout.state.ParentTransition;
import org.prismpool.payout.state.PreviewOutcome;
import org.prismpool.payout.state.ProspectiveBalances;
import org.prismpool.payout.state.PublishOutcome;
import org.prismpool.templates.block.AbandonReason;
import org.prismpool.templates.block.AccountingResult.RetryReason;
import org.prismpool.templates.block.ChainVerdict;
import org.prismpool.templates.block.OfferOutcome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lands and confirms a block (spec 03 §6.8): preview for its children first, then the rebuilt and verified bundle, rows,
 * confirmation, and the proof that ledger and preview agree.
 */
final class LandConfirmPhase implements Phase {

    private static final Logger LOG = LoggerFactory.getLogger(LandConfirmPhase.class);

    private final UnofferedLanding unoffered = new UnofferedLanding();

    @Override
    public FinalizationPhase name() {
        return FinalizationPhase.LAND_CONFIRM;
    }

    @Override
    public StepResult run(FinalizationRun run, PhaseContext context) throws InterruptedException {
        StepResult landed;
        BalanceSerializer.Turn landing = context.serializer().enter(context.landingDeadline(run));
        try {
            landed = land(run, context);
        } finally {
            landing.close(); // the rebuild takes long and changes no balance
        }
        if (landed != StepResult.CONTINUE) {
            return landed;
        }
        try {
            run.document(context.ports()
                    .rebuilder()
                    .rebuild(
                            run.intent(),
                            Deadline.after(context.config().rebuildTimeout(), context.clock(), "audit_rebuild"),
                            context.stop()));
        } catch (AuditMismatchException mismatch) {
            LOG.atError()
                    .addKeyValue("hash", run.hash().displayHex())
                    .setCause(mismatch)
                    .log("rebuilt audit bundle does not prove the submitted coinbase");
            return context.halt(RetryReason.CANDIDATE_AUDIT_MISMATCH, String.valueOf(mismatch.getMessage()));
        }
        BalanceSerializer.Turn confirming = context.serializer().enter(context.landingDeadline(run));
        try {
            return confirm(run, context);
        } finally {
            confirming.close();
        }
    }

    private StepResult land(FinalizationRun run, PhaseContext context) throws InterruptedException {
        Optional<ParentTransition> ancestor = undurableAncestor(run, context);
        if (ancestor.isPresent()) {
            return StepResult.retry("an accepted ancestor is not durable yet");
        }
        if (!run.confirmedBefore() && !context.ports().guards().reconciled(run.hash(), context.landingDeadline(run))) {
            return StepResult.retry("reorganisation pass is not trusted");
        }
        if (run.offered().outcome() instanceof OfferOutcome.Unoffered && !run.active()) {
            StepResult offered = unoffered.offer(run, context);
            if (offered != StepResult.CONTINUE) {
                return offered;
            }
        }
        context.payout().parents().landed(run.hash(), run.height());
        StepResult standing = standing(run, context);
        if (standing != StepResult.CONTINUE) {
            return standing;
        }
        context.ports().events().landed(run.hash(), run.height());
        Optional<List<PriorBalance>> compact = run.intent().work().prospectiveBalances();
        if (run.confirmedBefore() || compact.isEmpty()) {
            return StepResult.CONTINUE;
        }
        return preview(run, context, compact.get(), RetryReason.LEDGER_CONFIRMATION_FAILED);
    }

    /** Parents come first: their rows must be durable before a child's balances mean anything. */
    private static Optional<ParentTransition> undurableAncestor(FinalizationRun run, PhaseContext context) {
        return context.payout().parents().transitions().stream()
                .filter(t -> t.landed() && t.height() < run.height())
                .findFirst();
    }

    private static StepResult standing(FinalizationRun run, PhaseContext context) {
        ChainVerdict verdict = context.probe(run);
        return switch (verdict) {
            case ACTIVE -> StepResult.CONTINUE;
            case WRONG_HEIGHT -> new StepResult.Abandon(AbandonReason.BLOCK_STALE, "block is active at another height");
            case OFF_CHAIN -> new StepResult.Park();
            case UNKNOWN -> StepResult.nodeUnavailable("the offered block is not proven active yet");
        };
    }

    private static StepResult preview(
            FinalizationRun run, PhaseContext context, List<PriorBalance> balances, RetryReason onConflict)
            throws InterruptedException {
        PreviewOutcome outcome =
                context.payout().publishPreview(run.hash(), balances, context.landingDeadline(run), context.stop());
        if (outcome == PreviewOutcome.CONFLICT) {
            return context.halt(onConflict, "the payout preview differs from the one that was issued");
        }
        if (outcome == PreviewOutcome.DEGRADED) {
            LOG.atWarn()
                    .addKeyValue("hash", run.hash().displayHex())
                    .log("payout preview known to child builds but not published yet");
        }
        return StepResult.CONTINUE;
    }

    private StepResult confirm(FinalizationRun run, PhaseContext context) throws InterruptedException {
        List<PriorBalance> prospective = prospective(run);
        if (!run.confirmedBefore()) {
            StepResult verified = preview(run, context, prospective, RetryReason.CANDIDATE_AUDIT_MISMATCH);
            if (verified != StepResult.CONTINUE) {
                return verified;
            }
        }
        run.storedBody(context.ports().audit().store(run.intent(), run.document(), context.landingDeadline(run)));
        run.touchesRows();
        AcceptedBlock block = new AcceptedBlock(
                run.intent().solution(),
                run.intent().work(),
                run.document(),
                run.storedBody(),
                run.document().payoutPolicy().accounts());
        context.calls().landing(run.hash(), deadline -> context.ports().ledger().persist(block, deadline));
        if (!run.confirmedBefore()) {
            StepResult confirmed = confirmRows(run, context, prospective);
            if (confirmed != StepResult.CONTINUE) {
                return confirmed;
            }
        }
        context.payout().parents().cleared(run.hash());
        heal(run, context);
        return StepResult.CONTINUE;
    }

    private static List<PriorBalance> prospective(FinalizationRun run) {
        IntentWork work = run.intent().work();
        if (work.collectionOnly() && work.prospectiveBalances().isPresent()) {
            return work.prospectiveBalances().get(); // its coinbase started from no balances, the pool did not
        }
        return ProspectiveBalances.after(
                work.priorBalances(), run.document().payoutPolicy().accounts());
    }

    private static StepResult confirmRows(FinalizationRun run, PhaseContext context, List<PriorBalance> prospective) {
        ChainVerdict verdict = context.probe(run);
        if (verdict == ChainVerdict.UNKNOWN) {
            return StepResult.nodeUnavailable("the prepared block is not proven active");
        }
        if (verdict != ChainVerdict.ACTIVE) {
            return new StepResult.Abandon(AbandonReason.BLOCK_STALE, "block left the chain before confirmation");
        }
        Confirmation confirmation = context.calls()
                .landingValue(
                        run.hash(), deadline -> context.ports().ledger().confirm(run.hash(), run.height(), deadline));
        if (confirmation instanceof Confirmation.Superseded) {
            return new StepResult.Abandon(
                    AbandonReason.LEDGER_CONFIRMATION_SUPERSEDED, "the ledger row was already disposed of");
        }
        if (!(confirmation instanceof Confirmation.Confirmed confirmed)) {
            return context.halt(RetryReason.LEDGER_CONFIRMATION_FAILED, "the ledger did not confirm the block");
        }
        run.confirmedAs(confirmed.publicationSequence());
        List<PriorBalance> ledger = context.calls()
                .landingValue(run.hash(), deadline -> context.ports().ledger().balancesAfter(run.hash(), deadline));
        if (!ProspectiveBalances.byProgram(ledger).equals(ProspectiveBalances.byProgram(prospective))) {
            return context.halt(
                    RetryReason.LEDGER_CONFIRMATION_FAILED, "balances after the block differ from its preview");
        }
        return StepResult.CONTINUE;
    }

    /** A publication that lost a race, or a fence that nobody else would open, is made up for here. */
    private static void heal(FinalizationRun run, PhaseContext context) throws InterruptedException {
        PublishOutcome outcome = context.payout().publishCurrent(false, context.landingDeadline(run), context.stop());
        if (!outcome.current()) {
            LOG.atWarn()
                    .addKeyValue("hash", run.hash().displayHex())
                    .log("payout state not published after a confirmation; a refresh will");
        }
    }
}
