package org.prismpool.app.devnode.chain;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.prismpool.templates.chain.Hash256;

/**
 * Transactions that a test or a demo declared valid together with the fee they pay, although the coins they spend may not
 * exist. Not thread-safe: guarded by the lock of the chain state.
 */
public final class DeclaredFees {

    private final Map<Hash256, Long> fees = new HashMap<>();

    /** Creates an empty set. */
    public DeclaredFees() {}

    /**
     * Declares a transaction valid.
     *
     * @param txid its id
     * @param feeSats fee in base units, 0 or more
     */
    public void declare(Hash256 txid, long feeSats) {
        if (feeSats < 0) {
            throw new IllegalArgumentException("a fee is not negative");
        }
        fees.put(txid, feeSats);
    }

    /**
     * Returns the declared fee.
     *
     * @param txid a transaction id
     * @return base units, or empty when the transaction was never declared
     */
    public OptionalLong feeOf(Hash256 txid) {
        Long fee = fees.get(txid);
        return fee == null ? OptionalLong.empty() : OptionalLong.of(fee);
    }
}
