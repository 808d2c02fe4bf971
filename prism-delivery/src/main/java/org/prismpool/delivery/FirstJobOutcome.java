package org.prismpool.delivery;

/** What became of a request for a first job at its admission. */
public enum FirstJobOutcome {
    /** Queued. */
    QUEUED,
    /** The same request is pending already. */
    COALESCED,
    /** It took the place of an older request of the same connection. */
    REPLACED,
    /** The connection has the current work already. */
    ALREADY_SERVED,
    /** The connection is not eligible or is closing: nothing to do. */
    NOT_ELIGIBLE,
    /** The pending set is full; the connection is closed. */
    REJECTED,
    /** Delivery is closed. */
    CLOSED
}
