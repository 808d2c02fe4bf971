package org.prismpool.app.composition;

import java.util.Map;
import java.util.Optional;
import org.prismpool.app.metrics.StratumCounters;
import org.prismpool.refresh.PublishedTip;
import org.prismpool.sharewriter.ShareTotals;
import org.prismpool.stratum.StratumStats;
import org.prismpool.templates.TemplateObservation;
import org.prismpool.templates.chain.Network;

/**
 * Numbers of a running pool for a live view.
 *
 * @param network chain
 * @param tip published tip in display hex, empty before the first
 * @param height height of the work on it, 0 before the first
 * @param ready whether the pool pays its reward window, or still collects miners
 * @param connections open connections
 * @param authorized authorized sessions
 * @param acceptedShares shares in the ledger
 * @param acceptedHere shares accepted by this process
 * @param refusedHere submissions refused by this process, by the id of the reason
 * @param miners different miners among them
 * @param acceptedPerSecond accepted shares per second over the last minute
 * @param pendingCandidates found blocks not settled yet
 */
public record PoolView(
        Network network,
        Optional<String> tip,
        long height,
        boolean ready,
        int connections,
        int authorized,
        long acceptedShares,
        long acceptedHere,
        Map<String, Long> refusedHere,
        long miners,
        double acceptedPerSecond,
        int pendingCandidates) {

    /** Copies the map. */
    public PoolView {
        refusedHere = Map.copyOf(refusedHere);
    }

    static PoolView of(PoolOwners owners, StratumCounters sessionCounters, Network network) {
        ShareTotals totals = owners.context.stats().totals();
        StratumStats sessions = owners.stratum.stats();
        Optional<TemplateObservation> template = owners.work
                .refresher
                .authority()
                .work()
                .map(work -> work.snapshot().template());
        return new PoolView(
                network,
                owners.work
                        .refresher
                        .authority()
                        .published()
                        .map(PublishedTip::hash)
                        .map(hash -> hash.displayHex()),
                template.map(t -> t.template().terms().height()).orElse(0L),
                owners.context.readiness().getAsBoolean(),
                sessions.activeConnections(),
                sessions.authorized(),
                totals.acceptedShares(),
                sessionCounters.acceptedShares(),
                sessionCounters.refusedShares(),
                totals.distinctMiners(),
                sessions.acceptedPerSecond().values().stream()
                        .mapToDouble(Double::doubleValue)
                        .sum(),
                owners.blocks.lane.snapshot().pending());
    }
}
