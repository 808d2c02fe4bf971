package org.prismpool.payout.finalization;

import java.util.Objects;

/**
 * What the ledger knows of a block.
 *
 * @param state state of its row
 * @param publicationSequence ordinal that the confirmation allocated; 0 before
 */
public record BlockRow(State state, long publicationSequence) {

    /** States of a block row (spec 03 §6.11). */
    public enum State {
        /** No row. */
        ABSENT,
        /** Rows written, not confirmed. */
        PREPARED,
        /** On the chain and counted in balances. */
        CONFIRMED,
        /** Confirmed once, off the chain now. */
        INACTIVE,
        /** Given up before confirmation. */
        REJECTED,
        /** Undone by an operator. */
        REVERSED
    }

    /** The row that does not exist. */
    public static final BlockRow ABSENT = new BlockRow(State.ABSENT, 0);

    /** Checks the components. */
    public BlockRow {
        Objects.requireNonNull(state, "state");
        if (publicationSequence < 0) {
            throw new IllegalArgumentException("a publication sequence is never negative");
        }
    }
}
