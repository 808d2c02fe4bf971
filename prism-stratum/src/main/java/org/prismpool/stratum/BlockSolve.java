package org.prismpool.stratum;

import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.job.AssembledBlock;
import org.prismpool.templates.job.BlockAssembler;

/**
 * A submit whose hash meets the network target.
 *
 * @param share the share that goes with it, credited or not
 * @param creditShareOnAccept whether the share is to be credited when the block lands; true only below the share target
 */
public record BlockSolve(AcceptedShare share, boolean creditShareOnAccept) {

    /**
     * Returns the block's hash.
     *
     * @return hash of the header
     */
    public Hash256 hash() {
        return share.submission().hash();
    }

    /**
     * Returns the block's parent.
     *
     * @return hash of the parent
     */
    public Hash256 parent() {
        return share.submission().job().work().template().parent();
    }

    /**
     * Assembles the whole block. Costs time in proportion to its size: not for event loops with many miners.
     *
     * @return the block, with the extranonce1 that the job was stamped with
     * @throws IllegalStateException if the two serializations of the coinbase disagree
     */
    public AssembledBlock assemble() {
        Submission submission = share.submission();
        return new BlockAssembler()
                .block(
                        submission.job().work().template(),
                        submission.job().extranonce1Bytes(),
                        submission.extranonce2Bytes(),
                        submission.version(),
                        submission.ntime(),
                        submission.nonce());
    }
}
