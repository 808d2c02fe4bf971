package org.prismpool.app.composition;

import java.time.Clock;
import java.util.Optional;
import org.prismpool.app.composition.backend.NodeParts;
import org.prismpool.app.publicapi.PublicModels;
import org.prismpool.app.publicapi.model.BundleBodies;
import org.prismpool.app.publicapi.model.ExplorerLinks;
import org.prismpool.app.publicapi.model.NetworkView;
import org.prismpool.app.publicapi.model.PublicSettings;
import org.prismpool.app.publicapi.model.ReadModels;
import org.prismpool.app.publicapi.route.MiningConfiguration;
import org.prismpool.app.publicapi.serve.PublicSite;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.LedgerVariables;
import org.prismpool.config.variable.PublicApiVariables;
import org.prismpool.config.variable.StratumVariables;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.Ledger;

/**
 * Builds what the public may see from a ledger, a node and the audit bodies; nothing else of a pool is needed. Source: spec 08 §7.4
 * to §7.9.
 *
 * @param ledger read on its read connections
 * @param node asked for the state of the chain
 * @param bodies bodies of audit bundles
 */
record PublicParts(Ledger ledger, NodeParts node, BundleBodies bodies) {

    /**
     * Builds the site.
     *
     * @param e values without errors
     * @param stratumPort bound port of the default Stratum listener, empty for the configured one
     * @param refusals told of refused requests
     * @param clock monotonic
     * @return the site, nothing is bound yet
     */
    PublicSite site(Environment e, Optional<Integer> stratumPort, PublicSite.Refusals refusals, MonotonicClock clock) {
        Clock wall = Clock.systemUTC();
        return new PublicSite(
                e,
                models(e, wall, clock),
                new MiningConfiguration(e, stratumPort.orElseGet(() -> e.get(StratumVariables.STRATUM_PORT)), wall),
                e.get(LedgerVariables.POSTGRES_OPERATION_TIMEOUT_SECONDS),
                clock,
                refusals);
    }

    private PublicModels models(Environment e, Clock wall, MonotonicClock clock) {
        NetworkView network = new NetworkView(node.rpc(), node.network(), clock);
        ExplorerLinks explorer = new ExplorerLinks(
                e.find(PublicApiVariables.PUBLIC_EXPLORER_TX_URL_PREFIX),
                e.find(PublicApiVariables.PUBLIC_EXPLORER_BLOCK_URL_PREFIX));
        PublicSettings shown = new PublicSettings(
                e.get(PublicApiVariables.PUBLIC_POOL_NAME),
                e.get(PublicApiVariables.PUBLIC_POOL_FEE_BPS),
                e.get(PublicApiVariables.PUBLIC_MINIMUM_PAYOUT_BITS),
                e.get(PublicApiVariables.PUBLIC_HASHRATE_SMOOTHING_SECONDS),
                explorer);
        return ReadModels.of(ledger.reads(), network, bodies, shown, wall);
    }
}
