package org.prismpool.payout.finalization;

/** Reads the aggregate numbers that the evidence document carries. */
final class EvidencePhase implements Phase {

    @Override
    public FinalizationPhase name() {
        return FinalizationPhase.EVIDENCE;
    }

    @Override
    public StepResult run(FinalizationRun run, PhaseContext context) {
        run.counts(context.calls()
                .landingValue(run.hash(), deadline -> context.ports().rows().shareCounts(deadline)));
        return StepResult.CONTINUE;
    }
}
