package org.prismpool.sharewriter.block;

import java.util.List;
import org.prismpool.lifecycle.time.Deadline;

/**
 * Rows that follow the chain after confirmation: what to watch, quarantine and return, maturity. Writes are fenced.
 *
 * <p>Thread-safe; failures as in {@link PoolBlocks}.
 */
public interface ReorgRows {

    /**
     * Reads the blocks that a reorganisation could still move: confirmed or inactive, and immature.
     *
     * @param deadline end of the read
     * @return rows by height, then hash
     */
    List<PoolBlock> watched(Deadline deadline);

    /**
     * Reads the rejected blocks above a height, which may turn out to be active after all.
     *
     * @param height exclusive lower bound
     * @param deadline end of the read
     * @return rows by height, then hash
     */
    List<PoolBlock> rejectedAbove(long height, Deadline deadline);

    /**
     * Reads prepared blocks without a pending candidate, at or below a height: nobody will finish them.
     *
     * @param height inclusive upper bound
     * @param limit most rows to return, 1 or more
     * @param deadline end of the read
     * @return rows by height, then hash
     */
    List<PoolBlock> strandedPrepared(long height, int limit, Deadline deadline);

    /**
     * Reads the newest mature blocks, to notice one that left the chain.
     *
     * @param limit most rows to return, 1 or more
     * @param deadline end of the read
     * @return rows by descending height
     */
    List<PoolBlock> newestMature(int limit, Deadline deadline);

    /**
     * Quarantines a confirmed, immature block that left the chain.
     *
     * @param blockHash display hash
     * @param tipHeight height of the tip
     * @param deadline end of the transaction
     * @return true if the row changed
     * @throws org.prismpool.sharewriter.MatureBlockException if the block is mature
     */
    boolean markInactive(String blockHash, long tipHeight, Deadline deadline);

    /**
     * Returns a quarantined block at or below the tip; it keeps its publication ordinal.
     *
     * @param blockHash display hash
     * @param tipHeight height of the tip
     * @param deadline end of the transaction
     * @return true if the row changed
     */
    boolean reactivate(String blockHash, long tipHeight, Deadline deadline);

    /**
     * Makes a rejected block prepared again, with its payout, journal and artifact rows, because it is active.
     *
     * @param blockHash display hash
     * @param deadline end of the transaction
     * @return rows touched, 0 if the block is not rejected
     */
    int reinstate(String blockHash, Deadline deadline);

    /**
     * Takes an immature block back for good; for operators.
     *
     * @param blockHash display hash
     * @param tipHeight height of the tip
     * @param deadline end of the transaction
     * @return rows touched
     * @throws org.prismpool.sharewriter.MatureBlockException if the block is mature or 1000 blocks deep
     */
    int reverseImmature(String blockHash, long tipHeight, Deadline deadline);

    /**
     * Marks confirmed blocks that are 1000 blocks deep as mature, with their rows.
     *
     * @param tipHeight height of the tip
     * @param deadline end of the transaction
     * @return payout entries that matured
     */
    int matureUpTo(long tipHeight, Deadline deadline);
}
