package org.prismpool.templates.block;

/** Answer to the wish to give a candidate up. */
public enum AbandonDecision {
    /** Final: no later observation is matched; reject prepared rows only now. */
    SEALED,
    /** There is evidence of acceptance: settle with a retry. */
    DEFERRED,
    /** Another pass has accounted the block. */
    ALREADY_SUBMITTED
}
