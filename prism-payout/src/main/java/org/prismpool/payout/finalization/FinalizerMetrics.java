package org.prismpool.payout.finalization;

/** Port to the counters of block accounting. Called on the finalizer's thread; implementations only add. */
public interface FinalizerMetrics {

    /** Does nothing. */
    FinalizerMetrics NONE = new FinalizerMetrics() {};

    /** Classes of ledger calls. */
    enum CallClass {
        /** Outbox calls. */
        FAST,
        /** Calls that land a block. */
        LANDING
    }

    /**
     * Records the duration of a phase, whatever its result.
     *
     * @param phase the phase
     * @param nanos duration
     */
    default void phase(FinalizationPhase phase, long nanos) {}

    /**
     * Records a ledger call.
     *
     * @param callClass class of the call
     * @param budgetNanos time it was given
     * @param nanos time it took
     * @param timedOut whether its budget passed
     */
    default void ledgerCall(CallClass callClass, long budgetNanos, long nanos, boolean timedOut) {}
}
