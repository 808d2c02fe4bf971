package org.prismpool.payout.state;

/** What became of a preview. */
public enum PreviewOutcome {
    /** Published as the next payout generation. */
    PUBLISHED,
    /** The same preview is published already; no new generation. */
    ALREADY_PUBLISHED,
    /** Child builds have it, but it did not cross the publication; delivery is fenced until a retry does. */
    DEGRADED,
    /** Another preview of the same block is known: an error of the caller. */
    CONFLICT,
    /** The block is not being accounted. */
    NOT_LANDED
}
