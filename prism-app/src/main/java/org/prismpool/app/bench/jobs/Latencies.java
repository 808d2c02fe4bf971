package org.prismpool.app.bench.jobs;

import java.time.Duration;

/**
 * Time that each call to a backend takes besides its own.
 *
 * @param template {@code getblocktemplate}
 * @param smallRpc every other call that a refresh makes to the node
 * @param snapshot reading the reward window from the ledger
 * @param stats reading the share totals
 * @param balances reading the carried balances
 * @param reorgWatch reading the blocks that follow the chain
 * @param markMature writing matured payouts
 * @param builder least time of one compile, its own work included; zero leaves it as it is
 */
record Latencies(
        Duration template,
        Duration smallRpc,
        Duration snapshot,
        Duration stats,
        Duration balances,
        Duration reorgWatch,
        Duration markMature,
        Duration builder) {

    /** No injected time at all. */
    static final Latencies NONE = new Latencies(
            Duration.ZERO,
            Duration.ZERO,
            Duration.ZERO,
            Duration.ZERO,
            Duration.ZERO,
            Duration.ZERO,
            Duration.ZERO,
            Duration.ZERO);

    /** Checks that none is negative. */
    Latencies {
        for (Duration each :
                new Duration[] {template, smallRpc, snapshot, stats, balances, reorgWatch, markMature, builder}) {
            if (each.isNegative()) {
                throw new IllegalArgumentException("a latency must not be negative");
            }
        }
    }
}
