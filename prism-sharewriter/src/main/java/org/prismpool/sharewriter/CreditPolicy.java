package org.prismpool.sharewriter;

import java.util.Optional;

/** Under which rule a share is credited (ledger contract, column {@code credit_policy}). */
public enum CreditPolicy {
    /** The job was current: stored as no policy. */
    CURRENT,
    /** The job was stale but inside the grace after a tip change: {@code stale-grace}. */
    STALE_GRACE;

    private static final String STALE_GRACE_TEXT = "stale-grace";

    /**
     * Returns the stored text.
     *
     * @return the column's text, empty for {@link #CURRENT}
     */
    public Optional<String> text() {
        return this == STALE_GRACE ? Optional.of(STALE_GRACE_TEXT) : Optional.empty();
    }

    /**
     * Reads the stored text.
     *
     * @param text the column's text, empty for no policy
     * @return the policy
     * @throws IllegalArgumentException for a text that the contract does not know
     */
    public static CreditPolicy ofText(Optional<String> text) {
        if (text.isEmpty()) {
            return CURRENT;
        }
        if (text.get().equals(STALE_GRACE_TEXT)) {
            return STALE_GRACE;
        }
        throw new IllegalArgumentException("unknown credit policy: " + text.get());
    }
}
