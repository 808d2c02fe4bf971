package org.prismpool.stratum;

import java.io.IOException;
import java.time.Duration;

/**
 * A server in a process of its own, for tests that take descriptors away. Prints its port, then one line for each second:
 * heartbeats, descriptor faults at accept, open connections.
 */
public final class SmallServer {

    private SmallServer() {}

    /**
     * Runs until its input ends.
     *
     * @param args none
     * @throws Exception if it cannot start
     */
    public static void main(String[] args) throws Exception {
        StratumConfig config = Pool.config(Pool.listener())
                .with(ConnectionLimits.defaults()
                        .withCeilings(0, 0, 0)
                        .withTimeouts(Duration.ofSeconds(60), Duration.ofSeconds(20)));
        try (Pool pool = Pool.started(config)) {
            Thread reporter = new Thread(() -> report(pool), "reporter");
            reporter.setDaemon(true);
            System.out.println("port " + pool.port());
            reporter.start();
            awaitEndOfInput();
        }
    }

    private static void report(Pool pool) {
        while (true) {
            System.out.println("beats " + pool.beats.get() + " exhausted " + pool.metrics.count("exhausted")
                    + " failures " + pool.listenerFailures.get() + " open "
                    + pool.server.stats().activeConnections());
            java.util.concurrent.locks.LockSupport.parkNanos(100_000_000);
        }
    }

    private static void awaitEndOfInput() throws IOException {
        while (System.in.read() >= 0) {
            // nothing is read but the end
        }
    }
}
