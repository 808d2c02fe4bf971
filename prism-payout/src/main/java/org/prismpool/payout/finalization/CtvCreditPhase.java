package org.prismpool.payout.finalization;

import org.prismpool.payout.state.PayoutCause;

/** Stores fanouts, and credits the share of a block that was its share's only credit. */
final class CtvCreditPhase implements Phase {

    @Override
    public FinalizationPhase name() {
        return FinalizationPhase.CTV_CREDIT;
    }

    @Override
    public StepResult run(FinalizationRun run, PhaseContext context) throws InterruptedException {
        if (run.document().fanouts().isPresent()) {
            run.document().fanouts().get().verify();
            context.calls()
                    .landing(
                            run.hash(),
                            deadline -> context.ports()
                                    .rows()
                                    .storeFanouts(
                                            run.hash(), run.document().fanouts().get(), deadline));
        }
        if (run.intent().creditShareOnAccept()) {
            context.calls()
                    .landing(run.hash(), deadline -> context.ports().rows().creditShare(run.intent(), deadline));
            context.payout().invalidate(context.payout().source().tip(), PayoutCause.PAYOUT_ONLY);
            context.payout().publishCurrent(true, context.landingDeadline(run), context.stop());
        }
        return StepResult.CONTINUE;
    }
}
