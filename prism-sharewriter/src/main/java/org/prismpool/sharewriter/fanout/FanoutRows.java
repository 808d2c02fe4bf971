package org.prismpool.sharewriter.fanout;

import java.util.List;
import java.util.Optional;
import org.prismpool.lifecycle.time.Deadline;

/**
 * Settlement artifact rows. Writes are fenced, compare the status they replace, and never change a terminal row.
 *
 * <p>Thread-safe; failures as in {@link org.prismpool.sharewriter.block.PoolBlocks}.
 */
public interface FanoutRows {

    /**
     * Stores a block's manifest set; repeating it backfills missing transactions and changes nothing else.
     *
     * @param set what to store
     * @param deadline end of the transaction
     * @return transactions of the set now stored
     * @throws IllegalArgumentException if the block is unknown ({@code unknown PRISM block})
     * @throws org.prismpool.sharewriter.BlockMismatchException if the ledger holds another set for the block
     */
    int persist(FanoutSet set, Deadline deadline);

    /**
     * Changes a status if it still is what the caller read.
     *
     * @param fanoutTxid id of the transaction
     * @param expected status that was read, not terminal
     * @param next new status
     * @param deadline end of the transaction
     * @return true if the row changed
     */
    boolean updateStatus(String fanoutTxid, FanoutStatus expected, FanoutStatus next, Deadline deadline);

    /**
     * Records an attempt, keeps its newest details, and moves the status of a row that is not terminal.
     *
     * @param fanoutTxid id of the transaction
     * @param attempt the attempt
     * @param detailLimit newest detail rows to keep, 0 for none
     * @param deadline end of the transaction
     * @return status after it
     * @throws IllegalArgumentException for an unknown id ({@code unknown CTV fanout txid})
     */
    FanoutStatus recordAttempt(String fanoutTxid, BroadcastAttempt attempt, int detailLimit, Deadline deadline);

    /**
     * Reads transactions to broadcast or watch: not terminal and due.
     *
     * @param limit most rows, clamped to 1..1000
     * @param deadline end of the read
     * @return rows by block height, then chunk
     */
    List<FanoutRow> due(int limit, Deadline deadline);

    /**
     * Reads the status documents of {@link #due}, all in one snapshot.
     *
     * @param limit most documents, clamped to 1..1000
     * @param deadline end of the read
     * @return {@code qbit.prism.ctv-fanout-status.v1} as JSON, by block height, then chunk
     */
    List<String> dueDocuments(int limit, Deadline deadline);

    /**
     * Looks one up.
     *
     * @param fanoutTxid id of the transaction
     * @param deadline end of the read
     * @return the row, empty if unknown
     */
    Optional<FanoutRow> find(String fanoutTxid, Deadline deadline);

    /**
     * Reads the transactions of a block.
     *
     * @param blockHash display hash
     * @param deadline end of the read
     * @return rows by chunk
     */
    List<FanoutRow> ofBlock(String blockHash, Deadline deadline);

    /**
     * Reads the status document of a transaction with all kept attempts.
     *
     * @param fanoutTxid id of the transaction
     * @param deadline end of the read
     * @return {@code qbit.prism.ctv-fanout-status.v1} as JSON, empty if unknown
     */
    Optional<String> statusDocument(String fanoutTxid, Deadline deadline);

    /**
     * Reads the recovery document of a block's set.
     *
     * @param blockHash display hash
     * @param deadline end of the read
     * @return {@code qbit.prism.ctv-fanout-recovery.v1} as JSON, empty if unknown
     */
    Optional<String> recoveryDocument(String blockHash, Deadline deadline);
}
