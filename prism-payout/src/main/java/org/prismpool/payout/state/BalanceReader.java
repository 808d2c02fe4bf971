package org.prismpool.payout.state;

import java.util.List;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.reward.PriorBalance;

/**
 * Port to the confirmed balances of the ledger. Called on the publisher's thread with no lock held; may block until the
 * deadline. A retry is always safe.
 */
@FunctionalInterface
public interface BalanceReader {

    /**
     * Reads the balances of all confirmed blocks.
     *
     * @param deadline longest wait
     * @param cancel raised when the answer is no longer wanted
     * @return non-zero balances ordered by order key, recipient and program
     * @throws RuntimeException if the ledger does not answer in time or fails
     */
    List<PriorBalance> confirmedBalances(Deadline deadline, CancelSignal cancel);
}
