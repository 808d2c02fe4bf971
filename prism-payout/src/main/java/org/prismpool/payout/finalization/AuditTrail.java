package org.prismpool.payout.finalization;

import org.prismpool.lifecycle.time.Deadline;

/**
 * Port to audit bodies, evidence and their publication. Called on the finalizer's thread; blocks until the deadline.
 * Every call may be repeated.
 */
public interface AuditTrail {

    /**
     * Stores the body of a bundle before its rows are written.
     *
     * @param intent intent of the block
     * @param document its bundle
     * @param deadline latest end
     * @return where the body is
     */
    StoredBody store(CandidateIntent intent, AuditDocument document, Deadline deadline);

    /**
     * Publishes evidence and audit files of a confirmed block at its ordinal. The port reads the durable publication
     * floor freshly under its own order guard; a repetition with the same ordinal repairs or changes nothing.
     *
     * @param evidence what is published
     * @param deadline latest end
     */
    void publish(BlockEvidence evidence, Deadline deadline);
}
