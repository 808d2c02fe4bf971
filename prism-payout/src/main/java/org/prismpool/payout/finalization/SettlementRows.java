package org.prismpool.payout.finalization;

import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.ctv.FanoutManifestSet;
import org.prismpool.templates.chain.Hash256;

/**
 * Port to the rows that follow a confirmed block. Called on the finalizer's thread; blocks until the deadline. Every call
 * may be repeated.
 */
public interface SettlementRows {

    /**
     * Stores the fanouts of a block; an exact replay changes nothing.
     *
     * @param block block hash
     * @param fanouts verified manifest set
     * @param deadline latest end
     */
    void storeFanouts(Hash256 block, FanoutManifestSet fanouts, Deadline deadline);

    /**
     * Credits the share of a block that was found below its share target, and links it to the block's outbox row.
     *
     * @param intent intent of the block
     * @param deadline latest end
     */
    void creditShare(CandidateIntent intent, Deadline deadline);

    /**
     * Reads the aggregate numbers of accepted shares.
     *
     * @param deadline latest end
     * @return counters
     */
    BlockEvidence.ShareCounts shareCounts(Deadline deadline);
}
