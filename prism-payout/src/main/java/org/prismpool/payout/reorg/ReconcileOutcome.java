package org.prismpool.payout.reorg;

/** How a pass ended; a failure is an exception. */
public sealed interface ReconcileOutcome {

    /**
     * Rows agree with the chain, and payout state is published if it had to be.
     *
     * @param summary what was done
     */
    record Reconciled(ReconcileSummary summary) implements ReconcileOutcome {}

    /**
     * The node's view may not decide; nothing was changed.
     *
     * @param reason why
     */
    record Untrusted(String reason) implements ReconcileOutcome {}

    /** A block is being accounted; nothing was changed. */
    record ConfirmationPending() implements ReconcileOutcome {}

    /**
     * Rows agree, but newer sources kept winning over the publication; delivery is fenced until the next refresh.
     *
     * @param summary what was done
     */
    record Superseded(ReconcileSummary summary) implements ReconcileOutcome {}

    /**
     * Tells whether jobs may be issued on the tip.
     *
     * @return true if rows and chain agree and the payout state is published
     */
    default boolean trusted() {
        return this instanceof Reconciled;
    }
}
