package org.prismpool.sharewriter;

import java.util.Locale;

/** State of a block candidate in the outbox; the way from pending to a terminal state is one-way. */
public enum CandidateState {
    /** To be offered or accounted. */
    PENDING,
    /** Accounted as a block of the pool. */
    SUBMITTED,
    /** Given up. */
    ABANDONED;

    /**
     * Returns the stored text.
     *
     * @return lower-case name
     */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Tells whether the state is final.
     *
     * @return true for submitted and abandoned
     */
    public boolean terminal() {
        return this != PENDING;
    }

    /**
     * Reads the stored text.
     *
     * @param text column value
     * @return the state
     * @throws IllegalArgumentException for a text that the contract does not know
     */
    public static CandidateState ofText(String text) {
        for (CandidateState state : values()) {
            if (state.text().equals(text)) {
                return state;
            }
        }
        throw new IllegalArgumentException("unknown candidate state: " + text);
    }
}
