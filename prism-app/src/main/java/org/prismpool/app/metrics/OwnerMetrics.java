package org.prismpool.app.metrics;

import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * The metrics ports of all owners, bound to one set of families. Thread-safe; an owner gets its own.
 *
 * @param stratum of the sessions
 * @param shares of the share writer
 * @param ledger of a ledger in a database
 * @param node of calls of the node
 * @param templates of the template cache
 * @param candidates of found blocks
 * @param finalizer of block accounting
 * @param payout of the payout state and its windows
 * @param reorg of reorganisation passes
 * @param bundles of builds of shared work
 * @param helpers of helper processes that build
 * @param refresh of the tip refresher
 * @param delivery of job delivery
 */
public record OwnerMetrics(
        StratumCounters stratum,
        ShareCounters shares,
        LedgerCounters ledger,
        NodeRpcCounters node,
        TemplateCounters templates,
        CandidateCounters candidates,
        FinalizerCounters finalizer,
        PayoutCounters payout,
        ReorgCounters reorg,
        BundleCounters bundles,
        BundleHelperCounters helpers,
        RefreshCounters refresh,
        DeliveryCounters delivery) {

    /**
     * Binds the ports.
     *
     * @param families series of the catalogue of {@link UnfedFamilies#marked}
     * @param durable whether the ledger is in a database, which measures its own calls
     * @param clock of the owners
     * @return the bound ports
     */
    public static OwnerMetrics of(MetricFamilies families, boolean durable, MonotonicClock clock) {
        return new OwnerMetrics(
                new StratumCounters(families),
                new ShareCounters(families),
                new LedgerCounters(families),
                new NodeRpcCounters(families),
                new TemplateCounters(families),
                new CandidateCounters(families),
                new FinalizerCounters(families, durable, clock),
                new PayoutCounters(families),
                new ReorgCounters(families),
                new BundleCounters(families),
                new BundleHelperCounters(families),
                new RefreshCounters(families),
                new DeliveryCounters(families));
    }
}
