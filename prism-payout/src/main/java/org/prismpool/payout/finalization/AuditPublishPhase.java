package org.prismpool.payout.finalization;

import org.prismpool.payout.state.BalanceSerializer;

/** Publishes evidence and audit files at the block's durable ordinal. */
final class AuditPublishPhase implements Phase {

    @Override
    public FinalizationPhase name() {
        return FinalizationPhase.AUDIT_PUBLISH;
    }

    @Override
    public StepResult run(FinalizationRun run, PhaseContext context) throws InterruptedException {
        BlockEvidence evidence = new BlockEvidence(
                run.intent(),
                run.document(),
                run.storedBody(),
                run.publicationSequence(),
                run.counts().orElseThrow());
        BalanceSerializer.Turn turn = context.serializer().enter(context.landingDeadline(run));
        try {
            context.ports().audit().publish(evidence, context.landingDeadline(run));
        } finally {
            turn.close();
        }
        return StepResult.CONTINUE;
    }
}
