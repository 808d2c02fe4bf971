package org.prismpool.payout.state;

/** Outcome of one evaluation of the payout gate's admission table (spec 07 §6.2), in the order of its rows. */
public enum GateVerdict {
    /** The caller's cancellation was raised. */
    CANCELLED(false),
    /** The publication fence is closed. */
    FENCED(false),
    /** The work belongs to an older payout generation. */
    STALE(false),
    /** The generation still waits for its first delivered priority delivery, and the caller is not one. */
    RESERVED(false),
    /** A publisher drains admitted deliveries or swaps; ask again. */
    WAIT_PUBLISHER(true),
    /** The work belongs to a generation that is not published yet; ask again. */
    WAIT_FUTURE(true),
    /** Admitted; the delivery counts as active until its ticket is closed. */
    ADMITTED(false);

    private final boolean waiting;

    GateVerdict(boolean waiting) {
        this.waiting = waiting;
    }

    /**
     * Tells whether the caller may ask again.
     *
     * @return true for the two waiting rows
     */
    public boolean waiting() {
        return waiting;
    }
}
