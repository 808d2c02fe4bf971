package org.prismpool.payout.reorg;

import java.util.Objects;
import org.prismpool.templates.chain.Hash256;

/**
 * One row of a pool block that the reorganisation pass looks at.
 *
 * @param hash block hash
 * @param height its height
 * @param state state of its row
 */
public record WatchedBlock(Hash256 hash, long height, State state) {

    /** Row states that a pass may meet. */
    public enum State {
        /** Written, not confirmed. */
        PREPARED,
        /** Counted in balances. */
        CONFIRMED,
        /** Confirmed once, off the chain now. */
        INACTIVE,
        /** Given up before confirmation. */
        REJECTED
    }

    /** Checks the components. */
    public WatchedBlock {
        Objects.requireNonNull(hash, "hash");
        Objects.requireNonNull(state, "state");
        if (height < 0) {
            throw new IllegalArgumentException("a block height is never negative: " + height);
        }
    }
}
