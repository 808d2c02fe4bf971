package org.prismpool.bundle;

/** Measured phases of a build, by their label in the metric family (spec 07 appendix A). */
public enum BuildPhase {
    /** Reading or selecting the reward window. */
    LEDGER_SNAPSHOT,
    /** Reward window, allocation and payout policy. */
    PAYOUT_STATE_DERIVATION,
    /** Settlement decision and fanout manifests. */
    CTV_MANIFEST_CONSTRUCTION,
    /** The coinbase transaction. */
    COINBASE_BUNDLE_CONSTRUCTION,
    /** Signing and checking the signature. */
    SIGNING_VERIFICATION,
    /** Assembling the immutable bundle. */
    SERIALIZATION_COPY,
    /** Waiting for a build that another request started. */
    SINGLEFLIGHT_WAIT
}
