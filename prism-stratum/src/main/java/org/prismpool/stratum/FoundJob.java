package org.prismpool.stratum;

/**
 * A job that may be submitted.
 *
 * @param job its frozen context
 * @param standing how it is still known
 */
public record FoundJob(JobContext job, Standing standing) {

    /** How a job is still known. */
    public enum Standing {
        /** Active on the submitting connection. */
        ACTIVE,
        /** Replaced on the submitting connection, kept for a while. */
        RETAINED,
        /** Left behind by a closed connection of the same username. */
        CROSS_CONNECTION
    }
}
