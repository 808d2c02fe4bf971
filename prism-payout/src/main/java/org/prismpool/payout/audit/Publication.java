package org.prismpool.payout.audit;

/** What became of a publication. */
public enum Publication {
    /** Envelope and evidence are durable; the evidence names this block now. */
    PUBLISHED,
    /** The same was published before; its durability was repaired, nothing changed. */
    REPLAYED,
    /** A later block is, or is about to be, current: this one has its envelope, the evidence names the later one. */
    SUPERSEDED
}
