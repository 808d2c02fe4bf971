package org.prismpool.app.demo;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.prismpool.app.demo.miner.CpuMiner;
import org.prismpool.app.demo.miner.CpuMinerStats;

/**
 * Numbers of all built-in miners together.
 *
 * @param hashesPerSecond since the start
 * @param jobs jobs taken
 * @param accepted acknowledged shares
 * @param rejected refused shares by reason
 * @param difficulty highest share difficulty in use
 */
record MinerTotals(
        double hashesPerSecond, long jobs, long accepted, Map<String, Long> rejected, BigDecimal difficulty) {

    static MinerTotals of(List<CpuMiner> miners, double seconds) {
        long hashes = 0;
        long jobs = 0;
        long accepted = 0;
        Map<String, Long> rejected = new TreeMap<>();
        BigDecimal difficulty = BigDecimal.ZERO;
        for (CpuMiner miner : miners) {
            CpuMinerStats stats = miner.stats();
            hashes += stats.hashes();
            jobs += stats.jobs();
            accepted += stats.accepted();
            stats.rejected().forEach((reason, count) -> rejected.merge(reason, count, Long::sum));
            difficulty = difficulty.max(stats.difficulty());
        }
        return new MinerTotals(hashes / Math.max(seconds, 0.001), jobs, accepted, rejected, difficulty);
    }

    long rejectedTotal() {
        return rejected.values().stream().mapToLong(Long::longValue).sum();
    }
}
