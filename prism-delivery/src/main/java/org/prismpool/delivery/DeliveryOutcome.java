package org.prismpool.delivery;

/** What became of one delivery. */
public enum DeliveryOutcome {
    /** The pair was written. */
    SENT(false),
    /** It was not needed, or no longer: nothing was sent. */
    NOT_NEEDED(false),
    /** The work was no longer current at the commit. */
    STALE(true),
    /** The connection's delivery slot, or its event loop, was not obtained in time. */
    SLOT_BUSY(true),
    /** The payout gate refused or took too long. */
    GATE_REFUSED(true),
    /** There is no work now. */
    NO_WORK(true),
    /** The lane's queue is full. */
    QUEUE_FULL(true),
    /** Cancelled before it started. */
    CANCELLED(false),
    /** The connection is closed or failed. */
    DISCONNECTED(false),
    /** Unexpected failure. */
    FAILED(false);

    private final boolean retryable;

    DeliveryOutcome(boolean retryable) {
        this.retryable = retryable;
    }

    /**
     * Tells whether the same request may be tried again soon.
     *
     * @return true if nothing was sent for a passing reason
     */
    public boolean retryable() {
        return retryable;
    }
}
