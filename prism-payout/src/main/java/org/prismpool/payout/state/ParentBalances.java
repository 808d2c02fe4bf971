package org.prismpool.payout.state;

import java.util.List;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.templates.chain.Hash256;

/** Which balances a child of some parent has to start from. */
public sealed interface ParentBalances {

    /** No unconfirmed own block governs the parent: the published balances hold. */
    record Confirmed() implements ParentBalances {}

    /**
     * An own block that the ledger has not confirmed governs the parent.
     *
     * @param block the governing block
     * @param balances balances after it
     */
    record Preview(Hash256 block, List<PriorBalance> balances) implements ParentBalances {
        /** Copies the balances. */
        public Preview {
            balances = List.copyOf(balances);
        }
    }

    /**
     * The balances are on their way; a retry with normal pacing finds them.
     *
     * @param reason what is awaited
     */
    record NotReady(String reason) implements ParentBalances {}

    /**
     * No child of this parent may be built.
     *
     * @param reason what stands in the way
     */
    record Blocked(String reason) implements ParentBalances {}

    /** The caller's cancellation was raised. */
    record Stopped() implements ParentBalances {}
}
