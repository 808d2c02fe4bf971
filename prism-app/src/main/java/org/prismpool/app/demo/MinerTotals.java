package org.prismpool.app.demo;

import java.math.BigDecimal;
import java.util.List;
import org.prismpool.app.demo.miner.CpuMiner;
import org.prismpool.app.demo.miner.CpuMinerStats;

/**
 * Numbers of all built-in miners together.
 *
 * @param miners how many there are
 * @param hashesPerSecond since the start
 * @param jobs jobs taken
 * @param accepted acknowledged shares
 * @param difficulty highest share difficulty in use
 */
record MinerTotals(int miners, double hashesPerSecond, long jobs, long accepted, BigDecimal difficulty) {

    static MinerTotals of(List<CpuMiner> miners, double seconds) {
        long hashes = 0;
        long jobs = 0;
        long accepted = 0;
        BigDecimal difficulty = BigDecimal.ZERO;
        for (CpuMiner miner : miners) {
            CpuMinerStats stats = miner.stats();
            hashes += stats.hashes();
            jobs += stats.jobs();
            accepted += stats.accepted();
            difficulty = difficulty.max(stats.difficulty());
        }
        return new MinerTotals(miners.size(), hashes / Math.max(seconds, 0.001), jobs, accepted, difficulty);
    }
}
