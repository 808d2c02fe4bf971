package org.prismpool.bundle;

/** Kinds of failure of a request (spec 07 §0.1). */
public enum BundleFailure {
    /** Something newer made the request obsolete. */
    SUPERSEDED,
    /** The payout fence is closed, or an accepted parent's preview is late. */
    PAYOUT_PENDING,
    /** One bounded operation ran out of time. */
    PHASE_TIMEOUT,
    /** A genuine failure: unusable template, no eligible share, failed compile, invalid result. */
    BLOCKED,
    /** Collection work was asked for without a payout identity; temporary. */
    IDENTITY_UNAVAILABLE,
    /** A routine request was parked behind publication work for too long; retry with normal pacing. */
    ADMISSION_DEADLINE,
    /** The caller cancelled. */
    CANCELLED,
    /** The service closes. */
    SHUTDOWN
}
