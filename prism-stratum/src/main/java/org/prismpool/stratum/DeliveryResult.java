package org.prismpool.stratum;

/** What became of a pair given to {@link StratumConnection#deliver}. */
public enum DeliveryResult {
    /** The last byte was handed to the kernel. */
    WRITTEN,
    /** A newer pair replaced this one before it was written. */
    REPLACED,
    /** The connection closed first. */
    CLOSED
}
