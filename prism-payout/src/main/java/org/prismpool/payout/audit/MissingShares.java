package org.prismpool.payout.audit;

import java.util.List;
import org.prismpool.payout.window.WindowShare;

/**
 * Port to shares that an audit store lacks.
 *
 * <p>Called on the storing thread, may block on the ledger; a retry is safe. A failed read is an unchecked exception of the
 * implementation; the store then keeps the shares apart instead.
 */
@FunctionalInterface
public interface MissingShares {

    /**
     * Reads a range of shares from the ledger.
     *
     * @param firstShareSeq first sequence, inclusive, unsigned 64 bits
     * @param lastShareSeq last sequence, inclusive, unsigned 64 bits
     * @return ascending by sequence; fewer than asked if the ledger has gaps
     */
    List<WindowShare> load(long firstShareSeq, long lastShareSeq);
}
