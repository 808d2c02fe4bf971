package org.prismpool.refresh;

/** Why a refresh attempt published nothing, and what that arms (spec 07 §0.1). */
public enum FailureKind {
    /** A newer tip, payout generation or observation made the attempt obsolete. */
    SUPERSEDED(false),
    /** The payout publication fence is closed, or an accepted parent's preview is late. */
    PAYOUT_PENDING(false),
    /** One bounded operation ran out of time. */
    PHASE_TIMEOUT(true),
    /** A genuine failure: RPC error, malformed template, untrusted chain view, failing builds. */
    BLOCKED(true),
    /** Admission is closed. */
    SHUTDOWN(false);

    private final boolean budgeted;

    FailureKind(boolean budgeted) {
        this.budgeted = budgeted;
    }

    /**
     * Tells whether the failure arms the failure budget and clears the coordination streak.
     *
     * @return true for phase timeouts and genuine failures
     */
    public boolean armsFailureBudget() {
        return budgeted;
    }

    /**
     * Tells whether the failure opens (or keeps) the coordination streak.
     *
     * @param epochFanout true in epoch fan-out mode, where a superseded pass re-enters its wave instead
     * @return true for coordination between healthy parts
     */
    public boolean armsCoordinationStreak(boolean epochFanout) {
        return this == PAYOUT_PENDING || (this == SUPERSEDED && !epochFanout);
    }

    /**
     * Tells whether the next attempt on the same tip waits for the failure holdoff.
     *
     * @param epochFanout true in epoch fan-out mode
     * @return false for shutdown, and for supersession in epoch mode
     */
    public boolean armsHoldoff(boolean epochFanout) {
        return this != SHUTDOWN && !(this == SUPERSEDED && epochFanout);
    }
}
