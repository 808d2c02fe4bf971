package org.prismpool.payout.audit;

/** The timed phases of a build. */
public enum BuildPhase {
    /** Window, reward manifest, policy and settlement. */
    PAYOUT_STATE_DERIVATION("payout_state_derivation"),
    /** Precommitments and, at the end, fanout manifests; only with CTV settlement. */
    CTV_MANIFEST_CONSTRUCTION("ctv_manifest_construction"),
    /** Commitment and coinbase. */
    COINBASE_BUNDLE_CONSTRUCTION("coinbase_bundle_construction"),
    /** Both signatures. */
    SIGNING_VERIFICATION("signing_verification");

    private final String text;

    BuildPhase(String text) {
        this.text = text;
    }

    /**
     * Returns the name in metrics.
     *
     * @return the text
     */
    public String text() {
        return text;
    }
}
