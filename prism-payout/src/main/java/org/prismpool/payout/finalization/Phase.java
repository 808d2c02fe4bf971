package org.prismpool.payout.finalization;

/** One phase of accounting. Implementations keep nothing between runs. */
interface Phase {

    /** Returns its name. */
    FinalizationPhase name();

    /**
     * Runs the phase. Expected outcomes are results; an exception means that the pass is to be repeated.
     *
     * @throws InterruptedException if the process stops
     */
    StepResult run(FinalizationRun run, PhaseContext context) throws InterruptedException;
}
