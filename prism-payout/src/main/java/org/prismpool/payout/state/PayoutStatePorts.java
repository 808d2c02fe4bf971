package org.prismpool.payout.state;

import java.util.Objects;

/**
 * What {@link PayoutState} needs from its surroundings.
 *
 * @param balances confirmed balances of the ledger
 * @param chain active chain of the node
 * @param events owners that follow the payout state
 * @param metrics counters
 */
public record PayoutStatePorts(
        BalanceReader balances, ActiveChain chain, PayoutEvents events, PayoutStateMetrics metrics) {

    /** Checks the components. */
    public PayoutStatePorts {
        Objects.requireNonNull(balances, "balances");
        Objects.requireNonNull(chain, "chain");
        Objects.requireNonNull(events, "events");
        Objects.requireNonNull(metrics, "metrics");
    }
}
