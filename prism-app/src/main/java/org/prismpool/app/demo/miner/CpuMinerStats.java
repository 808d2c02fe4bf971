package org.prismpool.app.demo.miner;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;

/**
 * Counters of one miner since its start, read at one moment.
 *
 * <p>The miner never learns whether a block was accepted: {@code sharesAtNetworkTarget} only says how many of the
 * submitted headers met the {@code nbits} of their job.
 *
 * @param hashes headers hashed, over all threads
 * @param jobs {@code mining.notify} messages taken as work
 * @param submitted shares sent
 * @param accepted shares answered with {@code true}
 * @param rejected shares answered with an error, by reason id (or the error text when there is none)
 * @param unanswered shares whose connection ended before the answer came
 * @param sharesAtNetworkTarget shares sent whose hash also met the network target
 * @param connections TCP connections made
 * @param connected whether the miner is authorized now
 * @param difficulty share difficulty of the current work; zero before the first job
 * @param lastFailure why the last connection ended, if one did
 */
public record CpuMinerStats(
        long hashes,
        long jobs,
        long submitted,
        long accepted,
        Map<String, Long> rejected,
        long unanswered,
        long sharesAtNetworkTarget,
        long connections,
        boolean connected,
        BigDecimal difficulty,
        Optional<String> lastFailure) {

    /** Copies the map. */
    public CpuMinerStats {
        rejected = Map.copyOf(rejected);
    }

    /**
     * Returns the number of rejected shares over all reasons.
     *
     * @return rejected shares
     */
    public long rejectedTotal() {
        return rejected.values().stream().mapToLong(Long::longValue).sum();
    }
}
