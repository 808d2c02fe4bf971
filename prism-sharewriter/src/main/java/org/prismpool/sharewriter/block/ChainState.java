package org.prismpool.sharewriter.block;

import java.util.Locale;

/** Where a landed block stands towards the chain (ledger contract §1.7). */
public enum ChainState {
    /** Recorded, not yet confirmed. */
    PREPARED,
    /** On the chain. */
    CONFIRMED,
    /** Left the chain, may come back. */
    INACTIVE,
    /** Given up before confirmation. */
    REJECTED,
    /** Taken back by an operator; terminal. */
    REVERSED;

    /**
     * Returns the stored text.
     *
     * @return lower-case name
     */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads the stored text.
     *
     * @param text column value
     * @return the state
     * @throws IllegalArgumentException for a text that the contract does not know
     */
    public static ChainState ofText(String text) {
        for (ChainState state : values()) {
            if (state.text().equals(text)) {
                return state;
            }
        }
        throw new IllegalArgumentException("unknown chain state: " + text);
    }
}
