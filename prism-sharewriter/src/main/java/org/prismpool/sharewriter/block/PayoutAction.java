package org.prismpool.sharewriter.block;

import java.util.Locale;

/** How an account was settled in a block. */
public enum PayoutAction {
    /** Paid in the block. */
    ONCHAIN,
    /** Carried forward. */
    ACCRUED;

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
     * @return the action
     * @throws IllegalArgumentException for a text that the contract does not know
     */
    public static PayoutAction ofText(String text) {
        for (PayoutAction action : values()) {
            if (action.text().equals(text)) {
                return action;
            }
        }
        throw new IllegalArgumentException("unknown payout action: " + text);
    }
}
