package org.prismpool.payout.finalization;

import java.util.List;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.templates.chain.Hash256;

/**
 * Port to the durable rows of pool blocks. Called on the finalizer's thread; blocks until the deadline. Every write is
 * fenced by the writer lease. Every call may be repeated.
 *
 * <p>A passed deadline is a {@link LedgerTimeoutException}; any other failure is another unchecked exception. After either
 * the write may have happened.
 */
public interface BlockLedger {

    /**
     * Reads the row of a block.
     *
     * @param hash block hash
     * @param deadline latest end
     * @return the row, {@link BlockRow#ABSENT} if there is none
     */
    BlockRow row(Hash256 hash, Deadline deadline);

    /**
     * Writes the rows of an accepted block as prepared. An exact replay changes nothing; any difference is a {@link
     * BlockRowMismatchException}.
     *
     * @param block the rows
     * @param deadline latest end
     */
    void persist(AcceptedBlock block, Deadline deadline);

    /**
     * Moves a prepared block to confirmed and allocates its publication ordinal.
     *
     * @param hash block hash
     * @param expectedHeight height that the row must have
     * @param deadline latest end
     * @return what the ledger decided
     */
    Confirmation confirm(Hash256 hash, long expectedHeight, Deadline deadline);

    /**
     * Moves a prepared block to rejected; without effect on any other row.
     *
     * @param hash block hash
     * @param deadline latest end
     */
    void rejectPrepared(Hash256 hash, Deadline deadline);

    /**
     * Reads the balances as of a confirmed block, whatever was confirmed above it.
     *
     * @param hash block hash
     * @param deadline latest end
     * @return non-zero balances
     */
    List<PriorBalance> balancesAfter(Hash256 hash, Deadline deadline);
}
