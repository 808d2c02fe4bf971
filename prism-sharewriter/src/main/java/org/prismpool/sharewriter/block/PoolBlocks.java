package org.prismpool.sharewriter.block;

import java.util.Optional;
import org.prismpool.lifecycle.time.Deadline;

/**
 * Rows of landed blocks: landing, confirmation, disposal. Writes are fenced and safe to repeat.
 *
 * <p>Thread-safe. Every write throws {@link org.prismpool.sharewriter.WriterFencedException} without the lease,
 * {@link org.prismpool.sharewriter.LedgerDeadlineException} when its deadline passes, and
 * {@link org.prismpool.sharewriter.LedgerUnavailableException} when its outcome is unknown.
 */
public interface PoolBlocks {

    /**
     * Records a landed block as prepared with its bundle, payout entries and journal rows, in one transaction.
     *
     * @param block everything to record
     * @param deadline end of the transaction
     * @return rows of the block; an exact replay writes nothing
     * @throws org.prismpool.sharewriter.BlockMismatchException if the ledger holds the block with other contents
     */
    PersistResult persist(AcceptedBlock block, Deadline deadline);

    /**
     * Checks, under the fence and before an external body file is written, that this session may land the block.
     *
     * @param block what will be recorded; its body is not compared
     * @param deadline end of the transaction
     * @return place of the body that the ledger already names, empty if there is no row or its body is inline
     * @throws org.prismpool.sharewriter.BlockMismatchException if the ledger holds the block with other contents
     */
    Optional<AuditBundleRow.External> checkBeforeBody(AcceptedBlock block, Deadline deadline);

    /**
     * Confirms a prepared block at its height and gives it the next publication ordinal.
     *
     * @param blockHash display hash
     * @param height height of the block, which must be the tip's
     * @param deadline end of the transaction
     * @return what happened
     */
    ConfirmResult confirm(String blockHash, long height, Deadline deadline);

    /**
     * Rejects a block that never got confirmed, with its payout, journal and artifact rows.
     *
     * @param blockHash display hash
     * @param tipHeight height of the tip
     * @param deadline end of the transaction
     * @return rows touched, 0 if the block is not prepared
     */
    int rejectPrepared(String blockHash, long tipHeight, Deadline deadline);

    /**
     * Looks a block up.
     *
     * @param blockHash display hash
     * @param deadline end of the read
     * @return the row, empty if unknown
     */
    Optional<PoolBlock> find(String blockHash, Deadline deadline);

    /**
     * Reads the highest publication ordinal in use.
     *
     * @param deadline end of the read
     * @return ordinal, 0 if no block was ever confirmed
     */
    long publicationFloor(Deadline deadline);
}
