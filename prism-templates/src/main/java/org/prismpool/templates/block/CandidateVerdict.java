package org.prismpool.templates.block;

/** What the sender of a candidate can be told about it. */
public enum CandidateVerdict {
    /** Accounted. */
    LANDED,
    /** Given up. */
    ABANDONED,
    /** Open: it stays pending and goes on without the sender. */
    PENDING
}
