package org.prismpool.payout.finalization;

import org.prismpool.templates.block.AbandonReason;
import org.prismpool.templates.block.ChainVerdict;
import org.prismpool.templates.block.OfferOutcome;

/**
 * Decides from the chain, never from the node's text alone, whether a candidate is accounted, parked, given up or tried
 * again.
 */
final class AdmissionPhase implements Phase {

    @Override
    public FinalizationPhase name() {
        return FinalizationPhase.ADMISSION;
    }

    @Override
    public StepResult run(FinalizationRun run, PhaseContext context) {
        run.row(context.calls()
                .landingValue(run.hash(), deadline -> context.ports().ledger().row(run.hash(), deadline)));
        OfferOutcome outcome = run.offered().outcome();
        if (outcome instanceof OfferOutcome.Accepted) {
            return StepResult.CONTINUE; // judged by the chain after the landing, as every accepted offer
        }
        ChainVerdict verdict = context.probe(run);
        if (verdict == ChainVerdict.ACTIVE) {
            return StepResult.CONTINUE;
        }
        if (verdict == ChainVerdict.WRONG_HEIGHT) {
            return new StepResult.Abandon(AbandonReason.BLOCK_STALE, "block is active at another height");
        }
        return offChain(outcome, verdict);
    }

    private static StepResult offChain(OfferOutcome outcome, ChainVerdict verdict) {
        if (outcome instanceof OfferOutcome.NotOffered notOffered) {
            return new StepResult.Abandon(
                    notOffered.reason(), notOffered.reason().id() + ": the block was not offered");
        }
        if (outcome instanceof OfferOutcome.Refused refused) {
            return new StepResult.Abandon(AbandonReason.SUBMITBLOCK_REJECTED, "submitblock returned " + refused.text());
        }
        if (outcome instanceof OfferOutcome.Buried) {
            return verdict == ChainVerdict.UNKNOWN
                    ? StepResult.nodeUnavailable("a buried block could not be looked up")
                    : new StepResult.Abandon(AbandonReason.TIP_MOVED, "buried on a side branch");
        }
        if (verdict == ChainVerdict.OFF_CHAIN) {
            return new StepResult.Park();
        }
        if (outcome instanceof OfferOutcome.Unoffered) {
            return StepResult.CONTINUE; // the landing checks the window and offers it
        }
        return StepResult.nodeUnavailable("the block's standing on the chain is unknown");
    }
}
