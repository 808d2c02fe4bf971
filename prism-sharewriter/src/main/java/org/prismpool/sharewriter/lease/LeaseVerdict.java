package org.prismpool.sharewriter.lease;

/** What this session may do, as last proven. */
public enum LeaseVerdict {
    /** Not acquired yet. */
    ABSENT,
    /** Writes and external calls are allowed. */
    HELD,
    /** Writes are allowed; external calls wait until an own long write has renewed the lease. */
    HELD_NO_EXTERNAL,
    /** Authority is lost for good. */
    LOST,
    /** Given back. */
    RELEASED;

    /**
     * Tells whether an offer of a block to the node may be made without asking the database.
     *
     * @return true unless the lease is known to be lost, released or absent
     */
    public boolean mayOffer() {
        return this == HELD || this == HELD_NO_EXTERNAL;
    }
}
