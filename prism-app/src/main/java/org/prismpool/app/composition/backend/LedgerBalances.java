package org.prismpool.app.composition.backend;

import java.time.Duration;
import java.util.List;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.state.BalanceReader;
import org.prismpool.sharewriter.balance.BalanceRow;
import org.prismpool.sharewriter.balance.PriorBalances;

/** Reads confirmed balances from the ledger, in the ledger query's order. */
public final class LedgerBalances implements BalanceReader {

    private final PriorBalances balances;
    private final Duration limit;

    public LedgerBalances(PriorBalances balances, Duration limit) {
        this.balances = balances;
        this.limit = limit;
    }

    @Override
    public List<PriorBalance> confirmedBalances(Deadline deadline, CancelSignal cancel) {
        cancel.throwIfCancelled();
        return balances.current(deadline.within(limit, "prior-balances")).stream()
                .map(LedgerBalances::balance)
                .toList();
    }

    public static PriorBalance balance(BalanceRow row) {
        return new PriorBalance(row.minerId(), row.orderKey(), row.program().hex(), row.balanceSats());
    }
}
