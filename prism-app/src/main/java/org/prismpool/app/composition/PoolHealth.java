package org.prismpool.app.composition;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.app.composition.work.PoolWork;
import org.prismpool.bundle.WorkBundle;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.DeliveryVariables;
import org.prismpool.config.variable.LifecycleVariables;
import org.prismpool.config.variable.StratumVariables;
import org.prismpool.delivery.CoverageView;
import org.prismpool.delivery.DeliveryStats;
import org.prismpool.lifecycle.health.BaseHealth;
import org.prismpool.lifecycle.health.BaseHealthPort;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.refresh.BuiltWork;
import org.prismpool.refresh.PublishedTip;
import org.prismpool.refresh.PublishedWork;
import org.prismpool.refresh.WorkAuthority;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.ShareTotals;
import org.prismpool.stratum.StratumStats;
import org.prismpool.templates.TemplateObservation;
import org.prismpool.templates.chain.Hash256;

/** Collects the base of the health answer from the owners' snapshots; touches no backend. */
final class PoolHealth implements BaseHealthPort {

    private final Environment e;
    private final PoolOwners owners;
    private final Ledger ledger;
    private final MetricFamilies families;

    PoolHealth(Environment e, PoolOwners owners, Ledger ledger, MetricFamilies families) {
        this.e = e;
        this.owners = owners;
        this.ledger = ledger;
        this.families = families;
    }

    @Override
    public BaseHealth collect() {
        ShareTotals totals = owners.context.stats().totals();
        StratumStats sessions = owners.stratum.stats();
        DeliveryStats delivery = owners.work.delivery.stats();
        CoverageView coverage = owners.work.delivery.coverage();
        Duration oldest = Duration.ofNanos(delivery.oldestFirstJobNanos().orElse(0L));
        Duration unserved = Duration.ofNanos(delivery.oldestUnservedNanos().orElse(0L));
        return new BaseHealth(
                new BaseHealth.Ledger(
                        ledger.durable() ? "postgres-psql" : "memory",
                        totals.acceptedShares(),
                        totals.distinctMiners()),
                new BaseHealth.Blocks(owners.blocks.accepted(), e.get(LifecycleVariables.MAX_BLOCKS)),
                new BaseHealth.Sessions(
                        sessions.activeConnections(),
                        e.get(StratumVariables.STRATUM_MAX_CONNECTIONS),
                        sessions.peakConnections(),
                        sessions.subscribed(),
                        sessions.authorized(),
                        sessions.ioThreads()),
                new BaseHealth.FirstJobs(
                        delivery.firstJobsPending(),
                        e.get(DeliveryVariables.STRATUM_MAX_PENDING_INITIAL_JOBS),
                        oldest,
                        unserved,
                        counted("stratum_initial_job_queue_rejections_total"),
                        counted("stratum_initial_job_timeouts_total"),
                        counted("stratum_initial_job_tasks_total", "cancelled"),
                        counted("stratum_initial_job_tasks_total", "coalesced"),
                        counted("stratum_initial_job_queue_capacity_reclaimed_total"),
                        delivery.firstJobsQueued(),
                        delivery.firstJobsRunning()),
                new BaseHealth.Coverage(coverage.current(), coverage.semantic(), coverage.withoutJob()),
                new BaseHealth.Shares(
                        counted("submitted_shares_total"),
                        counted("rejections_total", "stale-job") + counted("rejections_total", "unknown-job")),
                prepared(),
                new BaseHealth.Flags(
                        families.gauge("pool_blocks_mature_off_chain").value() > 0,
                        owners.blocks.signals.anySpooled()));
    }

    private long counted(String family, String... labelValues) {
        return (long) families.counter(family, labelValues).value();
    }

    private BaseHealth.Prepared prepared() {
        WorkAuthority<TemplateObservation, PoolWork> authority = owners.work.refresher.authority();
        Optional<WorkBundle> bundle = authority
                .work()
                .flatMap(PublishedWork::bundle)
                .map(BuiltWork::work)
                .map(PoolWork::bundle);
        Optional<Hash256> published = authority.published().map(PublishedTip::hash);
        boolean current = bundle.map(b -> Optional.of(b.template().parent()).equals(published)
                        && b.payoutGeneration()
                                == owners.payout.state.published().generation())
                .orElse(false);
        return new BaseHealth.Prepared(
                owners.work.refresher.refreshPending(),
                published.map(Hash256::displayHex),
                current,
                bundle.map(b -> b.template().parent().displayHex()),
                bundle.map(b -> OptionalLong.of(b.template().generation())).orElseGet(OptionalLong::empty),
                bundle.map(b -> OptionalLong.of(b.payoutGeneration())).orElseGet(OptionalLong::empty));
    }
}
