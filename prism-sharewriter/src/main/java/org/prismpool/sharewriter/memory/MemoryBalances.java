package org.prismpool.sharewriter.memory;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.balance.BalanceRow;
import org.prismpool.sharewriter.balance.CarryChain;
import org.prismpool.sharewriter.balance.CarryIntegrity;
import org.prismpool.sharewriter.balance.CarryRow;
import org.prismpool.sharewriter.balance.IntegrityReport;
import org.prismpool.sharewriter.balance.PriorBalances;
import org.prismpool.sharewriter.block.ChainState;

/** Balances, always recomputed: there is no summary that could drift. */
final class MemoryBalances implements PriorBalances, CarryIntegrity {

    private static final Comparator<BalanceRow> ORDER = Comparator.comparing(BalanceRow::orderKey)
            .thenComparing(BalanceRow::minerId)
            .thenComparing(BalanceRow::program);

    private final MemoryState state;

    MemoryBalances(MemoryState state) {
        this.state = state;
    }

    @Override
    public List<BalanceRow> current(Deadline deadline) {
        synchronized (state) {
            return balances(state.activeCarry());
        }
    }

    @Override
    public List<BalanceRow> owed(Deadline deadline) {
        return current(deadline).stream()
                .filter(row -> row.balanceSats().signum() > 0)
                .toList();
    }

    @Override
    public List<BalanceRow> asOf(String blockHash, Deadline deadline) {
        synchronized (state) {
            MemoryState.@Nullable Block block = state.blocks.get(blockHash.toLowerCase(Locale.ROOT));
            if (block == null || block.chain != ChainState.CONFIRMED) {
                throw new IllegalArgumentException("block is not confirmed in the ledger: " + blockHash);
            }
            long height = block.facts.height();
            return balances(state.activeCarry().stream()
                    .filter(row -> row.blockHeight() <= height)
                    .toList());
        }
    }

    private static List<BalanceRow> balances(List<CarryRow> active) {
        Map<P2mrProgram, BalanceRow> sums = new HashMap<>();
        for (CarryRow row : active) {
            BigInteger delta = BigInteger.valueOf(row.account().grossSats())
                    .subtract(BigInteger.valueOf(row.account().onchainSats()));
            BalanceRow own = new BalanceRow(
                    row.account().minerId(),
                    row.account().orderKey(),
                    row.account().program(),
                    delta);
            sums.merge(row.account().program(), own, MemoryBalances::merge);
        }
        List<BalanceRow> rows = new ArrayList<>(sums.values());
        rows.removeIf(row -> row.balanceSats().signum() == 0);
        rows.sort(ORDER);
        return rows;
    }

    private static BalanceRow merge(BalanceRow a, BalanceRow b) {
        BalanceRow label = ORDER.compare(a, b) <= 0 ? a : b;
        return new BalanceRow(
                label.minerId(),
                label.orderKey(),
                label.program(),
                a.balanceSats().add(b.balanceSats()));
    }

    @Override
    public IntegrityReport report(Deadline deadline) {
        CarryChain chain = new CarryChain();
        synchronized (state) {
            state.activeCarry().forEach(chain::add);
        }
        return chain.report(List.of());
    }

    @Override
    public long rebuild(Deadline deadline) {
        synchronized (state) {
            return state.activeCarry().stream()
                    .map(row -> List.of(
                            row.account().minerId(),
                            row.account().orderKey(),
                            row.account().program()))
                    .distinct()
                    .count();
        }
    }
}
