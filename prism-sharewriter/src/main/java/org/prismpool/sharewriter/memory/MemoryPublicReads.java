package org.prismpool.sharewriter.memory;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.block.ChainState;
import org.prismpool.sharewriter.read.BlockCounts;
import org.prismpool.sharewriter.read.FoundBlocks;
import org.prismpool.sharewriter.read.Leaderboards;
import org.prismpool.sharewriter.read.MinerReads;
import org.prismpool.sharewriter.read.PoolStatistics;
import org.prismpool.sharewriter.read.PublicReads;
import org.prismpool.sharewriter.read.RewardWindowAggregate;
import org.prismpool.sharewriter.read.RewardWindowAggregate.MinerWork;
import org.prismpool.sharewriter.read.SettlementReads;
import org.prismpool.sharewriter.window.CountedShare;
import org.prismpool.sharewriter.window.WindowReader;

/** Read models over the state in memory. */
final class MemoryPublicReads implements PublicReads {

    private final MemoryState state;
    private final MemoryWindows windows;
    private final MemoryBalances balances;
    private final PoolStatistics pool;
    private final Leaderboards leaderboards;
    private final FoundBlocks blocks;
    private final MinerReads miners;
    private final SettlementReads settlements;

    MemoryPublicReads(MemoryState state, MemoryWindows windows, MemoryBalances balances, MemoryFanouts fanouts) {
        this.state = state;
        this.windows = windows;
        this.balances = balances;
        MemoryFoundBlocks found = new MemoryFoundBlocks(state);
        this.pool = new MemoryPoolStatistics(state, found);
        this.leaderboards = new MemoryLeaderboards(state, found);
        this.blocks = found;
        this.miners = new MemoryMinerReads(state, balances);
        this.settlements = new MemorySettlementReads(state, fanouts);
    }

    @Override
    public RewardWindowAggregate rewardWindow(BigInteger networkDifficulty, Deadline deadline) {
        BigInteger weight = networkDifficulty.max(BigInteger.ZERO).multiply(WindowReader.AUDIT_MULTIPLIER);
        long anchor = state.wallClockMs.getAsLong();
        Map<String, MinerWork> byMiner = new HashMap<>();
        BigInteger total = BigInteger.ZERO;
        long shares = 0;
        OptionalLong oldest = OptionalLong.empty();
        OptionalLong newest = OptionalLong.empty();
        for (CountedShare row : windows.window(anchor, weight)) {
            long accepted = row.stored().share().acceptedAtMs();
            byMiner.merge(
                    row.stored().share().minerId(),
                    new MinerWork(row.stored().share().minerId(), row.counted(), 1, accepted),
                    MemoryPublicReads::add);
            total = total.add(row.counted());
            shares++;
            oldest = OptionalLong.of(Math.min(accepted, oldest.orElse(accepted)));
            newest = OptionalLong.of(Math.max(accepted, newest.orElse(accepted)));
        }
        List<MinerWork> miners = new ArrayList<>(byMiner.values());
        miners.sort(Comparator.comparing(MinerWork::counted).reversed().thenComparing(MinerWork::minerId));
        return new RewardWindowAggregate(anchor, weight, total, shares, oldest, newest, miners);
    }

    private static MinerWork add(MinerWork a, MinerWork b) {
        return new MinerWork(
                a.minerId(),
                a.counted().add(b.counted()),
                a.includedShares() + b.includedShares(),
                Math.max(a.lastShareAtMs(), b.lastShareAtMs()));
    }

    @Override
    public BlockCounts blockCounts(Deadline deadline) {
        Map<ChainState, Long> counts = new EnumMap<>(ChainState.class);
        synchronized (state) {
            state.blocks.values().forEach(block -> counts.merge(block.chain, 1L, Long::sum));
            return new BlockCounts(counts, balances.owed(deadline).size());
        }
    }

    @Override
    public PoolStatistics pool() {
        return pool;
    }

    @Override
    public Leaderboards leaderboards() {
        return leaderboards;
    }

    @Override
    public FoundBlocks blocks() {
        return blocks;
    }

    @Override
    public MinerReads miners() {
        return miners;
    }

    @Override
    public SettlementReads settlements() {
        return settlements;
    }
}
