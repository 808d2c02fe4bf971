package org.prismpool.stratum.share;

/** How a job's parent relates to the tip. */
public enum TipVerdict {
    /** The parent is the tip. */
    CURRENT,
    /** The parent is the tip's parent, and the connection is within its grace. */
    GRACE,
    /** The work is dead. */
    STALE,
    /** The published tip does not decide: the node's tip is needed. */
    NEEDS_TIP,
    /** The tip's parent is needed. */
    NEEDS_PARENT
}
