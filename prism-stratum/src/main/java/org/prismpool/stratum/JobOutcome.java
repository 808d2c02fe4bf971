package org.prismpool.stratum;

/** What became of a requested job (spec 02 §8.3). */
public enum JobOutcome {
    /** The pair was handed to the kernel. */
    DELIVERED,
    /** Nothing was sent: superseded, gate closed, not ready, or the request was outgrown. */
    SKIPPED,
    /** Nothing was sent: another job of the session is under way. */
    BUSY,
    /** The work could not be built; the connection stays. */
    BUILD_FAILED,
    /** The pair could not be written; the connection is closing. */
    SEND_FAILED
}
