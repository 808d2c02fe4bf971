package org.prismpool.sharewriter.block;

import java.util.Locale;

/** Whether a block, payout or carry row can still be undone (ledger contract §1.7). */
public enum MaturityState {
    /** Less than 1000 blocks deep. */
    IMMATURE,
    /** 1000 blocks deep or more; terminal. */
    MATURE,
    /** Undone. */
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
    public static MaturityState ofText(String text) {
        for (MaturityState state : values()) {
            if (state.text().equals(text)) {
                return state;
            }
        }
        throw new IllegalArgumentException("unknown maturity state: " + text);
    }
}
