package org.prismpool.payout.finalization;

import org.prismpool.templates.block.AbandonReason;
import org.prismpool.templates.block.AccountingResult;

/** How a phase ended; anything but {@link Continue} ends the pass. */
sealed interface StepResult {

    /** On to the next phase. */
    record Continue() implements StepResult {}

    /** Accounted by an earlier pass or process: only the outbox row is left. */
    record Done() implements StepResult {}

    /** To be given up, if the evidence agrees. */
    record Abandon(AbandonReason reason, String message) implements StepResult {}

    /** To be tried again. */
    record Retry(AccountingResult.RetryReason reason, String message) implements StepResult {}

    /** Stored by the node, but off the chain. */
    record Park() implements StepResult {}

    /** The shared instance of {@link Continue}. */
    StepResult CONTINUE = new Continue();

    static StepResult retry(String message) {
        return new Retry(AccountingResult.RetryReason.INTERNAL_ERROR, message);
    }

    static StepResult nodeUnavailable(String message) {
        return new Retry(AccountingResult.RetryReason.BACKEND_RPC_UNAVAILABLE, message);
    }
}
