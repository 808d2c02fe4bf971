package org.prismpool.stratum.bench;

import java.time.Duration;

/**
 * What a run of the benchmark does.
 *
 * @param submitters connections that submit at the same time
 * @param submitTime how long their submits are measured, after half as long again to warm up
 * @param idleConnections connections of the memory measurement, at most the kernel's accept backlog
 * @param stormConnections connections of the reconnect storm and of the fan-out
 * @param stormTime time over which the storm's connections arrive
 * @param stalledReaders connections that read nothing during the fan-out
 */
public record BenchConfig(
        int submitters,
        Duration submitTime,
        int idleConnections,
        int stormConnections,
        Duration stormTime,
        int stalledReaders) {

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a number is not positive
     */
    public BenchConfig {
        if (submitters < 1 || idleConnections < 1 || stormConnections < 1 || stalledReaders < 0) {
            throw new IllegalArgumentException("benchmark sizes must be positive");
        }
    }

    /**
     * Returns the full run: 64 submitters for 10 s, 1000 idle connections, a storm of 5000 in 10 s, 50 stalled readers.
     *
     * @return the full configuration
     */
    public static BenchConfig full() {
        return new BenchConfig(64, Duration.ofSeconds(10), 1000, 5000, Duration.ofSeconds(10), 50);
    }

    /**
     * Returns a run of about two seconds.
     *
     * @return the quick configuration
     */
    public static BenchConfig quick() {
        return new BenchConfig(8, Duration.ofMillis(500), 100, 200, Duration.ofMillis(500), 5);
    }
}
