package org.prismpool.payout.finalization;

import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.state.BalanceSerializer;
import org.prismpool.payout.state.PayoutState;
import org.prismpool.templates.block.AccountingResult;
import org.prismpool.templates.block.ChainVerdict;

/**
 * What every phase works with. Confined to the finalizer's thread.
 *
 * @param config settings
 * @param ports ports
 * @param payout payout state
 * @param serializer turn for balance mutations
 * @param lane lane that handed the candidate over
 * @param calls ledger budgets
 * @param stop raised when the process stops
 * @param clock monotonic clock
 */
record PhaseContext(
        FinalizerConfig config,
        FinalizerPorts ports,
        PayoutState payout,
        BalanceSerializer serializer,
        OfferLane lane,
        LedgerCalls calls,
        CancelSignal stop,
        MonotonicClock clock) {

    Deadline nodeDeadline() {
        return Deadline.after(config.nodeTimeout(), clock, "block_finalization");
    }

    Deadline landingDeadline(FinalizationRun run) {
        return Deadline.after(calls.landingBudget(run.hash()), clock, "block_finalization");
    }

    /** Asks the chain and remembers a positive answer. */
    ChainVerdict probe(FinalizationRun run) {
        ChainVerdict verdict = lane.probe(run.candidate(), nodeDeadline());
        if (verdict == ChainVerdict.ACTIVE) {
            run.provenActive();
        }
        return verdict;
    }

    /** Something contradicts what was submitted: the process stops, the candidate stays pending. */
    StepResult halt(AccountingResult.RetryReason reason, String message) {
        ports.events().shutdownRequested(reason.id(), message);
        return new StepResult.Retry(reason, message);
    }
}
