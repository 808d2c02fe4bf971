package org.prismpool.app.composition;

import java.util.Optional;
import org.prismpool.app.composition.backend.Connections;
import org.prismpool.app.composition.backend.NodeChain;
import org.prismpool.app.composition.block.Reconciliation;
import org.prismpool.app.composition.health.BundleHealth;
import org.prismpool.app.composition.health.HealthOwners;
import org.prismpool.app.composition.health.RefreshBeats;
import org.prismpool.app.composition.settings.OwnerSettings;
import org.prismpool.app.composition.settings.PayoutRules;
import org.prismpool.app.composition.settings.RefreshSettings;
import org.prismpool.app.composition.work.BundleCompilers;
import org.prismpool.app.composition.work.BundleConditions;
import org.prismpool.app.composition.work.BundleWork;
import org.prismpool.app.composition.work.DeliveryEvents;
import org.prismpool.app.composition.work.DeliveryFanout;
import org.prismpool.app.composition.work.PayoutDeliveryGate;
import org.prismpool.app.composition.work.PayoutPublication;
import org.prismpool.app.composition.work.PoolCurrentWork;
import org.prismpool.app.composition.work.PoolWork;
import org.prismpool.app.composition.work.RefreshEvents;
import org.prismpool.app.composition.work.Templates;
import org.prismpool.app.composition.work.WorkEncodings;
import org.prismpool.app.composition.work.WorkOwners;
import org.prismpool.bundle.BundleIdentity;
import org.prismpool.bundle.BundlePorts;
import org.prismpool.bundle.BundleService;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.BundleVariables;
import org.prismpool.config.variable.RefreshVariables;
import org.prismpool.delivery.DeliveryPorts;
import org.prismpool.delivery.JobDelivery;
import org.prismpool.payout.reorg.ReorgReconciler;
import org.prismpool.payout.state.PayoutState;
import org.prismpool.refresh.ChainReconciliation;
import org.prismpool.refresh.RefreshClocks;
import org.prismpool.refresh.RefreshCompanions;
import org.prismpool.refresh.RefreshPorts;
import org.prismpool.refresh.TipRefresher;
import org.prismpool.stratum.JobContext;
import org.prismpool.stratum.StratumConfig;
import org.prismpool.templates.TemplateObservation;
import org.prismpool.templates.TemplateRepository;
import org.prismpool.templates.rpc.NodeRpc;

/** What is mined next: templates, bundles, the refresher that follows the tip, and the delivery of its jobs. */
final class WorkParts {

    final PayoutRules rules;
    final TemplateRepository templates;
    final BundleService bundles;
    final Connections connections = new Connections();
    final JobDelivery<PoolWork, Optional<JobContext>> delivery;
    final TipRefresher<TemplateObservation, PoolWork> refresher;

    WorkParts(
            PoolContext context,
            LaterOwners later,
            PayoutParts payout,
            BundleCompilers compilers,
            StratumConfig stratum) {
        Environment e = context.environment();
        NodeRpc rpc = context.node().rpc();
        this.rules = new PayoutRules(e, context.node().network(), rpc);
        this.templates = new TemplateRepository(
                new TemplateRepository.Config(
                        context.node().network(),
                        e.get(RefreshVariables.TEMPLATE_CACHE_SECONDS),
                        stratum.jobs().versionMask()),
                rpc,
                context.clock(),
                context.metrics().templates());
        this.bundles = later.bundles()
                .set(new BundleService(
                        OwnerSettings.bundles(e),
                        new BundleIdentity(
                                e.get(BundleVariables.COINBASE_TAG),
                                context.manifestSeed().publicKeyHex(),
                                context.ledgerSeed().publicKeyHex()),
                        new BundlePorts(
                                compilers.compiler(),
                                payout.state,
                                payout.prepared,
                                payout.wall,
                                rules,
                                new BundleConditions(later.refresher(), templates, context.readiness()),
                                context.metrics().bundles(),
                                BundleHealth.of(context.health().progress())),
                        context.clock()));
        WorkEncodings encodings = new WorkEncodings();
        PoolCurrentWork current = new PoolCurrentWork(
                later.refresher(),
                new WorkOwners(payout.state, bundles, templates, rpc, encodings),
                connections,
                context.readiness(),
                e.get(RefreshVariables.TIP_REFRESH_EPOCH_FANOUT),
                context.clock());
        this.delivery = JobDelivery.create(
                OwnerSettings.delivery(e, stratum.jobs().bootId()),
                new DeliveryPorts<>(
                        current,
                        new PayoutDeliveryGate(payout.state, context.clock()),
                        new DeliveryEvents(later.refresher(), context.health(), context.readiness(), context.clock()),
                        context.metrics().delivery(),
                        context.clock()));
        this.refresher = later.refresher()
                .set(refresher(
                        context, later, payout, new BundleWork(bundles, connections, encodings, compilers::helperPid)));
    }

    private TipRefresher<TemplateObservation, PoolWork> refresher(
            PoolContext context, LaterOwners later, PayoutParts payout, BundleWork work) {
        Environment e = context.environment();
        HealthOwners health = context.health();
        NodeRpc rpc = context.node().rpc();
        NodeRpc waiting = rpc.cancelledBy(health.controller().begun());
        RefreshPorts<TemplateObservation, PoolWork> ports = new RefreshPorts<>(
                new NodeChain(rpc, waiting, context.node().network()),
                new Templates(templates, health.controller().begun()),
                work,
                publication(payout.state, payout.reconciler, health),
                new DeliveryFanout(delivery, later.refresher()));
        RefreshCompanions companions = RefreshCompanions.none()
                .withCandidates(tip -> later.lane().get().observeTip(tip))
                .withReconciliation(
                        e.get(RefreshVariables.REORG_RECONCILER_ENABLED)
                                ? new Reconciliation(payout.reconciler)
                                : ChainReconciliation.disabled())
                .withReadiness(context.readiness())
                .withHeartbeat(new RefreshBeats(health.heartbeats()))
                .withListener(new RefreshEvents(
                        delivery,
                        later.lane(),
                        health,
                        e.get(RefreshVariables.TEMPLATE_REFRESH_FAILURE_EXIT_SECONDS),
                        context.events(),
                        context.clock(),
                        this::templateChanged))
                .withMetrics(context.metrics().refresh());
        return TipRefresher.create(RefreshSettings.of(e), ports, companions, RefreshClocks.on(context.clock()));
    }

    private static PayoutPublication publication(PayoutState payout, ReorgReconciler reconciler, HealthOwners health) {
        return new PayoutPublication(payout, health.controller().begun(), tip -> reconciler.keepOnly(tip.hash()));
    }

    private void templateChanged() {
        templates
                .current()
                .ifPresent(template ->
                        bundles.templateChanged(template.fingerprint().hex()));
    }
}
