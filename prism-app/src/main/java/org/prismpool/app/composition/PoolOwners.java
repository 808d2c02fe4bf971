package org.prismpool.app.composition;

import java.time.Clock;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.prismpool.app.composition.backend.LocalAddresses;
import org.prismpool.app.composition.block.PreparedSolves;
import org.prismpool.app.composition.block.ShareCommits;
import org.prismpool.app.composition.block.SolveCandidates;
import org.prismpool.app.composition.work.BundleCompilers;
import org.prismpool.app.composition.work.MinerJobs;
import org.prismpool.app.composition.work.TipWatch;
import org.prismpool.app.metrics.BackendGauges;
import org.prismpool.app.metrics.PoolGauges;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.BlockVariables;
import org.prismpool.config.variable.DeliveryVariables;
import org.prismpool.config.variable.DifficultyVariables;
import org.prismpool.config.variable.LifecycleVariables;
import org.prismpool.config.variable.NodeVariables;
import org.prismpool.lifecycle.executor.BoundedPriorityExecutor;
import org.prismpool.lifecycle.executor.ExecutorConfig;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.lifecycle.metrics.MetricSource;
import org.prismpool.lifecycle.shutdown.ShutdownController;
import org.prismpool.lifecycle.shutdown.ShutdownPhase;
import org.prismpool.stratum.ListenerWatch;
import org.prismpool.stratum.PoolState;
import org.prismpool.stratum.StratumConfig;
import org.prismpool.stratum.StratumMetrics;
import org.prismpool.stratum.StratumServer;

/**
 * The owners of payouts, work, blocks and sessions, built and wired in dependency order; nothing is started here but
 * the two worker pools.
 */
final class PoolOwners {

    private static final int WORKERS = 4;
    private static final int WORK_QUEUE = 1024;
    private static final int SOLVE_WORKERS = 2; // apart, so that calls to a slow node never keep a found block waiting
    private static final int SOLVE_QUEUE = 64;

    final PoolContext context;
    final BoundedPriorityExecutor workers;
    final BoundedPriorityExecutor solveWorkers;
    final PayoutParts payout;
    final WorkParts work;
    final BlockParts blocks;
    final StratumServer stratum;

    PoolOwners(PoolContext context, BundleCompilers compilers, StratumConfig stratumConfig) {
        this.context = context;
        this.workers = BoundedPriorityExecutor.start(ExecutorConfig.of("prism-app-worker", WORKERS, WORK_QUEUE));
        this.solveWorkers =
                BoundedPriorityExecutor.start(ExecutorConfig.of("prism-app-solve", SOLVE_WORKERS, SOLVE_QUEUE));
        LaterOwners later = LaterOwners.unset();
        this.payout = new PayoutParts(context, later);
        this.work = new WorkParts(context, later, payout, compilers, stratumConfig);
        TipWatch tips = new TipWatch(
                later.refresher(),
                context.node().rpc(),
                workers,
                context.environment().get(NodeVariables.QBIT_RPC_TIMEOUT_SECONDS),
                context.ledgerParts()::leaseLost,
                context.clock());
        this.blocks = new BlockParts(context, later, payout, work, tips);
        this.stratum = stratum(stratumConfig, tips);
    }

    private StratumServer stratum(StratumConfig config, TipWatch tips) {
        Environment e = context.environment();
        ShutdownController controller = context.health().controller();
        PreparedSolves solves = new PreparedSolves();
        MinerJobs jobs = new MinerJobs(
                work.delivery,
                work.refresher,
                work.connections,
                work.bundles,
                e.get(DeliveryVariables.STRATUM_MAX_PENDING_INITIAL_JOBS));
        StratumMetrics metrics = context.metrics().stratum();
        return StratumServer.builder(config)
                .addresses(new LocalAddresses(context.node().network()))
                .jobs(jobs, jobs)
                .shares(
                        new ShareCommits(blocks.writer, payout.floor, controller, solves, solveWorkers),
                        new SolveCandidates(
                                blocks.lane,
                                context.ledger().outbox(),
                                solves,
                                blocks.credits,
                                tips,
                                solveWorkers,
                                e.get(BlockVariables.BLOCK_SUBMIT_DB_TIMEOUT_SECONDS),
                                context.clock()))
                .tips(tips)
                .clocks(context.clock(), Clock.systemUTC())
                .pool(poolState(controller))
                .metrics(
                        e.get(LifecycleVariables.HOT_PATH_LOG)
                                ? HotPathLog.around(StratumMetrics.class, metrics, Set.of("accepted", "rejected"))
                                : metrics)
                .watch(listenerWatch(controller))
                .clocks(context.clock(), Clock.systemUTC())
                .build();
    }

    /** What the metrics document reads from these owners, and from the ledger and the node behind them. */
    List<MetricSource> readings(MetricFamilies families) {
        Environment e = context.environment();
        PoolGauges gauges = new PoolGauges(families, context.clock());
        BackendGauges asked =
                new BackendGauges(families, e.get(NodeVariables.QBIT_RPC_TIMEOUT_SECONDS), context.clock());
        gauges.configured(
                e.get(DifficultyVariables.STRATUM_VARDIFF), e.get(DeliveryVariables.STRATUM_MAX_PENDING_INITIAL_JOBS));
        return List.of(
                gauges.stratum(stratum),
                gauges.delivery(work.delivery),
                gauges.candidates(blocks.lane, blocks::accepted),
                gauges.shares(blocks.writer, context.stats()),
                gauges.payout(payout.state),
                gauges.bundles(work.bundles),
                asked.ledger(context.ledger()),
                asked.initialDownload(context.node().rpc()),
                asked.peers(context.node().rpc()),
                asked.spool(() -> blocks.spool.list().size()),
                asked.auditFolder(context.audit()::usage));
    }

    private PoolState poolState(ShutdownController controller) {
        return new PoolState() {
            @Override
            public boolean open() {
                return blocks.signals.poolOpen();
            }

            @Override
            public boolean shuttingDown() {
                return controller.phase() != ShutdownPhase.RUNNING;
            }
        };
    }

    private ListenerWatch listenerWatch(ShutdownController controller) {
        return new ListenerWatch() {
            @Override
            public void beat(String heartbeat) {
                context.health().heartbeats().beat(heartbeat);
            }

            @Override
            public void failed(String listener, Throwable cause) {
                controller.request(OptionalInt.empty());
            }
        };
    }
}
