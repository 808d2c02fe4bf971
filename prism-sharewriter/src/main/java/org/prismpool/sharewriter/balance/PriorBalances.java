package org.prismpool.sharewriter.balance;

import java.util.List;
import org.prismpool.lifecycle.time.Deadline;

/**
 * Carried balances of miners (ledger contract §5). Cost follows the number of recipients, never the history.
 *
 * <p>Thread-safe; each read is one snapshot.
 */
public interface PriorBalances {

    /**
     * Reads the balances of now, negative ones included.
     *
     * @param deadline end of the read
     * @return rows ordered by order key, miner id, program
     */
    List<BalanceRow> current(Deadline deadline);

    /**
     * Reads what is owed now: the positive balances.
     *
     * @param deadline end of the read
     * @return rows ordered by order key, miner id, program
     */
    List<BalanceRow> owed(Deadline deadline);

    /**
     * Reads the balances as they were after a block, for the check of a confirmed ancestor; cost follows the history.
     *
     * @param blockHash confirmed block
     * @param deadline end of the read
     * @return rows of all active blocks up to its height
     * @throws IllegalArgumentException if the ledger does not hold the block as confirmed
     */
    List<BalanceRow> asOf(String blockHash, Deadline deadline);
}
