package org.prismpool.stratum;

/** What became of a pair given to {@link StratumConnection#deliver}. */
public enum DeliveryResult {
    /** The last byte was handed to the kernel. */
    WRITTEN,
    /** A newer pair replaced this one before it was written. */
    REPLACED,
    /** Its owner did not want it any more when its turn came. */
    DROPPED,
    /** The connection closed first. */
    CLOSED
}
