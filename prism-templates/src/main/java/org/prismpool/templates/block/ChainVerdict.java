package org.prismpool.templates.block;

/** What the node's chain says about a candidate at this moment. */
public enum ChainVerdict {
    /** Active at its expected height. */
    ACTIVE,
    /** Active at another height. */
    WRONG_HEIGHT,
    /** Known to the node but not active. */
    OFF_CHAIN,
    /** Unknown to the node, or the node could not be asked. */
    UNKNOWN
}
