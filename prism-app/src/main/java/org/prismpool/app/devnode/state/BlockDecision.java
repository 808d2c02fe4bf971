package org.prismpool.app.devnode.state;

/** What an operator can decide about a block against the rules. */
public enum BlockDecision {
    /** The block and everything after it count as failed. */
    INVALIDATE,
    /** Failures of the block, of its ancestors and of its descendants are forgotten. */
    RECONSIDER,
    /** The block wins against others of equal work. */
    PREFER
}
