package org.prismpool.payout.reorg;

import java.util.Objects;

/**
 * What {@link ReorgReconciler} needs of others.
 *
 * @param chain the node's chain
 * @param rows rows of pool blocks
 * @param transitions changes of those rows
 * @param metrics counters
 */
public record ReconcilePorts(
        ReconcileChain chain, WatchedRows rows, BlockTransitions transitions, ReorgMetrics metrics) {

    /** Checks the components. */
    public ReconcilePorts {
        Objects.requireNonNull(chain, "chain");
        Objects.requireNonNull(rows, "rows");
        Objects.requireNonNull(transitions, "transitions");
        Objects.requireNonNull(metrics, "metrics");
    }
}
