package org.prismpool.payout.state;

/** Why the payout source moved (spec 07 §1.2). Closed set, usable as a metric label. */
public enum PayoutCause {
    /** The process started and has published nothing yet. */
    STARTUP("startup"),
    /** A tip that is not ours replaced the one that balances were read at. */
    EXTERNAL_TIP("external_tip"),
    /** Balances changed while the tip stayed. */
    PAYOUT_ONLY("payout_only"),
    /** A block of ours was accepted; its prospective balances govern children until the ledger confirms it. */
    ACCEPTED_BLOCK_PREVIEW("accepted_block_preview"),
    /** A block of ours whose preview was published has been lost. */
    ACCEPTED_BLOCK_PREVIEW_WITHDRAWN("accepted_block_preview_withdrawn"),
    /** A block of ours was confirmed in the ledger. */
    DIRECT_BLOCK("direct_block"),
    /** Rows of an accepted block may or may not have been written; a replay decides. */
    DIRECT_BLOCK_UNCERTAIN("direct_block_uncertain"),
    /** The reorganisation pass changed block rows, or may have. */
    RECONCILIATION("reconciliation");

    private final String label;

    PayoutCause(String label) {
        this.label = label;
    }

    /**
     * Returns the stable name used in logs and metrics.
     *
     * @return lower-case name
     */
    public String label() {
        return label;
    }
}
