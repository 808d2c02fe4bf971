package org.prismpool.app.composition;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.prismpool.app.composition.backend.AuditFiles;
import org.prismpool.app.composition.backend.Connections;
import org.prismpool.app.composition.backend.FanoutSets;
import org.prismpool.app.composition.backend.LandingChecks;
import org.prismpool.app.composition.backend.LedgerBalances;
import org.prismpool.app.composition.backend.LedgerParts;
import org.prismpool.app.composition.backend.LedgerWindows;
import org.prismpool.app.composition.backend.LocalAddresses;
import org.prismpool.app.composition.backend.NodeChain;
import org.prismpool.app.composition.backend.NodeParts;
import org.prismpool.app.composition.backend.NodeReconcileChain;
import org.prismpool.app.composition.block.AuditRebuilder;
import org.prismpool.app.composition.block.AuditRepublication;
import org.prismpool.app.composition.block.BarrierWrites;
import org.prismpool.app.composition.block.BlockLedgerCalls;
import org.prismpool.app.composition.block.CreditHolds;
import org.prismpool.app.composition.block.FinalizerLedger;
import org.prismpool.app.composition.block.FinalizerRows;
import org.prismpool.app.composition.block.LandingBarrier;
import org.prismpool.app.composition.block.LaneSignals;
import org.prismpool.app.composition.block.OutboxAdapter;
import org.prismpool.app.composition.block.PreparedSolves;
import org.prismpool.app.composition.block.Reconciliation;
import org.prismpool.app.composition.block.ReorgBlockRows;
import org.prismpool.app.composition.block.ShareCommits;
import org.prismpool.app.composition.block.SolveCandidates;
import org.prismpool.app.composition.block.SpoolAdapter;
import org.prismpool.app.composition.health.BundleHealth;
import org.prismpool.app.composition.health.HealthOwners;
import org.prismpool.app.composition.health.RefreshBeats;
import org.prismpool.app.composition.settings.OwnerSettings;
import org.prismpool.app.composition.settings.PayoutRules;
import org.prismpool.app.composition.settings.RefreshSettings;
import org.prismpool.app.composition.work.AppendFenceGate;
import org.prismpool.app.composition.work.BundleCompilers;
import org.prismpool.app.composition.work.BundleConditions;
import org.prismpool.app.composition.work.BundleWork;
import org.prismpool.app.composition.work.DeliveryEvents;
import org.prismpool.app.composition.work.DeliveryFanout;
import org.prismpool.app.composition.work.Later;
import org.prismpool.app.composition.work.MinerJobs;
import org.prismpool.app.composition.work.PayoutDeliveryGate;
import org.prismpool.app.composition.work.PayoutPublication;
import org.prismpool.app.composition.work.PayoutSignals;
import org.prismpool.app.composition.work.PoolCurrentWork;
import org.prismpool.app.composition.work.PoolWork;
import org.prismpool.app.composition.work.ReadinessLatch;
import org.prismpool.app.composition.work.RefreshEvents;
import org.prismpool.app.composition.work.Templates;
import org.prismpool.app.composition.work.TipWatch;
import org.prismpool.app.composition.work.WorkEncodings;
import org.prismpool.app.composition.work.WorkOwners;
import org.prismpool.app.metrics.BackendGauges;
import org.prismpool.app.metrics.OwnerMetrics;
import org.prismpool.app.metrics.PoolGauges;
import org.prismpool.bundle.BundleIdentity;
import org.prismpool.bundle.BundlePorts;
import org.prismpool.bundle.BundleService;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.BlockVariables;
import org.prismpool.config.variable.BundleVariables;
import org.prismpool.config.variable.DeliveryVariables;
import org.prismpool.config.variable.DifficultyVariables;
import org.prismpool.config.variable.LedgerVariables;
import org.prismpool.config.variable.LifecycleVariables;
import org.prismpool.config.variable.NodeVariables;
import org.prismpool.config.variable.RefreshVariables;
import org.prismpool.config.variable.ShareWriterVariables;
import org.prismpool.delivery.DeliveryPorts;
import org.prismpool.delivery.JobDelivery;
import org.prismpool.lifecycle.executor.BoundedPriorityExecutor;
import org.prismpool.lifecycle.executor.ExecutorConfig;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.lifecycle.metrics.MetricSource;
import org.prismpool.lifecycle.shutdown.ShutdownPhase;
import org.prismpool.lifecycle.shutdown.WriterComponent;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.finalization.BlockEvidence;
import org.prismpool.payout.finalization.BlockFinalizer;
import org.prismpool.payout.finalization.CandidateIntent;
import org.prismpool.payout.finalization.FinalizerEvents;
import org.prismpool.payout.finalization.FinalizerPorts;
import org.prismpool.payout.finalization.ParentLink;
import org.prismpool.payout.reorg.ReconcilePorts;
import org.prismpool.payout.reorg.ReorgReconciler;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.payout.state.BalanceSerializer;
import org.prismpool.payout.state.PayoutState;
import org.prismpool.payout.state.PayoutStatePorts;
import org.prismpool.payout.state.PreparedWindowConfig;
import org.prismpool.payout.state.PreparedWindows;
import org.prismpool.payout.state.WindowClock;
import org.prismpool.payout.state.WindowReanchor;
import org.prismpool.refresh.ChainReconciliation;
import org.prismpool.refresh.RefreshCompanions;
import org.prismpool.refresh.RefreshPorts;
import org.prismpool.refresh.TipRefresher;
import org.prismpool.sharewriter.AcceptedStats;
import org.prismpool.sharewriter.AnchorFloor;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.ShareTotals;
import org.prismpool.sharewriter.ShareWriter;
import org.prismpool.sharewriter.ShareWriterEvents;
import org.prismpool.sharewriter.spool.FileBlockSpool;
import org.prismpool.stratum.JobContext;
import org.prismpool.stratum.ListenerWatch;
import org.prismpool.stratum.PoolState;
import org.prismpool.stratum.StratumConfig;
import org.prismpool.stratum.StratumMetrics;
import org.prismpool.stratum.StratumServer;
import org.prismpool.templates.TemplateObservation;
import org.prismpool.templates.TemplateRepository;
import org.prismpool.templates.block.CandidateLane;
import org.prismpool.templates.block.CandidatePorts;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.rpc.NodeRpc;

/** The owners of shares, work, blocks and sessions, built and wired in dependency order; nothing is started here. */
final class PoolOwners {

    private static final int WORKERS = 4;
    private static final int WORK_QUEUE = 1024;
    private static final int SOLVE_WORKERS = 2; // apart, so that calls to a slow node never keep a found block waiting
    private static final int SOLVE_QUEUE = 64;

    final PayoutState payout;
    final BundleService bundles;
    final TemplateRepository templates;
    final JobDelivery<PoolWork, Optional<JobContext>> delivery;
    final TipRefresher<TemplateObservation, PoolWork> refresher;
    final ShareWriter writer;
    final AcceptedStats stats;
    final BlockFinalizer finalizer;
    final CandidateLane lane;
    final LaneSignals laneSignals;
    final BlockLedgerCalls blockCalls;
    final StratumServer stratum;
    final ReadinessLatch readiness;
    final BoundedPriorityExecutor workers;
    final BoundedPriorityExecutor solveWorkers;
    final ReorgReconciler reconciler;
    final WindowReanchor reanchor;

    private final Environment e;
    private final NodeParts node;
    private final LedgerParts ledgerParts;
    private final HealthOwners health;
    private final OwnerMetrics metrics;
    private final FileBlockSpool spool;
    private final AuditFiles audit;
    private final MonotonicClock clock;
    private final AnchorFloor floor;
    private final AtomicLong accepted = new AtomicLong();

    // Owners that refer to each other in a circle; set once below.
    private final Later<TipRefresher<TemplateObservation, PoolWork>> laterRefresher = new Later<>("the tip refresher");
    private final Later<BundleService> laterBundles = new Later<>("the bundle service");
    private final Later<PreparedWindows> laterWindows = new Later<>("the prepared windows");
    private final Later<CandidateLane> laterLane = new Later<>("the candidate lane");

    PoolOwners(
            Environment e,
            NodeParts node,
            LedgerParts ledgerParts,
            AuditFiles audit,
            BundleCompilers compilers,
            HealthOwners health,
            StratumConfig stratumConfig,
            PoolEvents events,
            OwnerMetrics metrics,
            MonotonicClock clock) {
        this.e = e;
        this.metrics = metrics;
        this.node = node;
        this.ledgerParts = ledgerParts;
        this.audit = audit;
        this.health = health;
        this.clock = clock;
        Ledger ledger = ledgerParts.ledger();
        this.blockCalls = new BlockLedgerCalls(
                e.get(LedgerVariables.POSTGRES_OPERATION_TIMEOUT_SECONDS),
                e.get(BlockVariables.BLOCK_SUBMIT_STUCK_CALL_EXIT_SECONDS),
                clock);
        BarrierWrites writes =
                new BarrierWrites(health.controller(), WriterComponent.ACCEPTED_BLOCK_HANDLING, blockCalls);
        Duration rpcTimeout = e.get(NodeVariables.QBIT_RPC_TIMEOUT_SECONDS);

        this.workers = BoundedPriorityExecutor.start(ExecutorConfig.of("prism-app-worker", WORKERS, WORK_QUEUE));
        this.solveWorkers =
                BoundedPriorityExecutor.start(ExecutorConfig.of("prism-app-solve", SOLVE_WORKERS, SOLVE_QUEUE));
        this.floor = new AnchorFloor(Clock.systemUTC()::millis, clock);
        CreditHolds credits = new CreditHolds(floor);
        PreparedSolves solves = new PreparedSolves();
        this.stats = new AcceptedStats(clock);
        this.readiness = new ReadinessLatch(stats, e.get(BundleVariables.MIN_READY_MINERS));
        SigningSeed manifestSeed = SigningSeed.ofHex(
                e.get(LedgerVariables.MANIFEST_SIGNING_SEED_HEX).reveal());
        SigningSeed ledgerSeed = SigningSeed.ofHex(
                e.get(LedgerVariables.LEDGER_ATTESTATION_SIGNING_SEED_HEX).reveal());

        LedgerWindows windows = new LedgerWindows(ledger.windows());
        LedgerBalances balances =
                new LedgerBalances(ledger.balances(), e.get(LedgerVariables.POSTGRES_OPERATION_TIMEOUT_SECONDS));
        Later<LongSupplier> appendEpoch = new Later<>("the append epoch");
        PayoutSignals payoutSignals =
                new PayoutSignals(laterBundles, laterWindows, laterRefresher, appendEpoch, health.progress(), clock);
        this.payout = new PayoutState(
                OwnerSettings.payoutState(e),
                new PayoutStatePorts(balances, this::activeBlockAt, payoutSignals, metrics.payout()),
                clock);
        appendEpoch.set(() -> payout.appends().epoch());
        WindowClock wall = new AnchoredClock(Clock.systemUTC(), floor);
        PreparedWindowConfig preparedConfig = OwnerSettings.preparedWindows(e);
        PreparedWindows prepared = laterWindows.set(
                new PreparedWindows(preparedConfig, windows, wall, payout.appends(), metrics.payout()));
        this.reanchor =
                new WindowReanchor(preparedConfig, prepared, payout, windows, balances, wall, metrics.payout(), clock);
        BalanceSerializer serializer = new BalanceSerializer();
        NodeReconcileChain chain = new NodeReconcileChain(node.rpc(), node.network());
        ReorgBlockRows blockRows = new ReorgBlockRows(
                ledger,
                new BarrierWrites(health.controller(), WriterComponent.PAYOUT_RECONCILIATION, blockCalls),
                chain,
                new AuditRepublication(audit, this::shareCounts));
        this.reconciler = new ReorgReconciler(
                OwnerSettings.reconciler(e),
                new ReconcilePorts(chain, blockRows, metrics.reorg().counted(blockRows), metrics.reorg()),
                payout,
                serializer,
                clock);

        this.templates = new TemplateRepository(
                new TemplateRepository.Config(
                        node.network(),
                        e.get(RefreshVariables.TEMPLATE_CACHE_SECONDS),
                        stratumConfig.jobs().versionMask()),
                node.rpc(),
                clock,
                metrics.templates());
        PayoutRules rules = new PayoutRules(e, node.network(), node.rpc());
        this.bundles = laterBundles.set(new BundleService(
                OwnerSettings.bundles(e),
                new BundleIdentity(
                        e.get(BundleVariables.COINBASE_TAG), manifestSeed.publicKeyHex(), ledgerSeed.publicKeyHex()),
                new BundlePorts(
                        compilers.compiler(),
                        payout,
                        prepared,
                        wall,
                        rules,
                        new BundleConditions(laterRefresher, templates, readiness),
                        metrics.bundles(),
                        BundleHealth.of(health.progress())),
                clock));

        Connections connections = new Connections();
        WorkEncodings encodings = new WorkEncodings();
        PoolCurrentWork currentWork = new PoolCurrentWork(
                laterRefresher,
                new WorkOwners(payout, bundles, templates, node.rpc(), encodings),
                connections,
                readiness,
                e.get(RefreshVariables.TIP_REFRESH_EPOCH_FANOUT),
                clock);
        this.delivery = JobDelivery.create(
                OwnerSettings.delivery(e, stratumConfig.jobs().bootId()),
                new DeliveryPorts<>(
                        currentWork,
                        new PayoutDeliveryGate(payout, clock),
                        new DeliveryEvents(laterRefresher, health, readiness, clock),
                        metrics.delivery(),
                        clock));
        this.refresher = laterRefresher.set(
                refresher(new BundleWork(bundles, connections, encodings, compilers::helperPid), events));

        AppendFenceGate gate = new AppendFenceGate(payout.appends());
        this.writer = new ShareWriter(
                ledger.shares(),
                OwnerSettings.shareWriter(e),
                new ShareWriter.Ports(gate, stats, writerEvents(), metrics.shares()),
                clock);
        TipWatch tips = new TipWatch(laterRefresher, node.rpc(), workers, rpcTimeout, ledgerParts::leaseLost, clock);
        this.spool = new FileBlockSpool(spoolDirectory());
        this.laneSignals = new LaneSignals(
                health.controller(),
                health.watchdog(),
                health.heartbeats(),
                e.get(BlockVariables.BLOCK_SUBMIT_STUCK_CALL_EXIT_SECONDS));
        OutboxAdapter outbox = new OutboxAdapter(ledger, writes, credits);
        this.finalizer = new BlockFinalizer(
                OwnerSettings.finalizer(e),
                new FinalizerPorts(
                        new FinalizerLedger(ledger, writes),
                        new FinalizerRows(
                                ledger,
                                writes,
                                stats,
                                (block, set, deadline) ->
                                        ledger.fanouts().persist(FanoutSets.rows(block, set), deadline),
                                gate,
                                credits),
                        outbox,
                        new AuditRebuilder(
                                manifestSeed,
                                ledgerSeed,
                                e.find(LedgerVariables.LEDGER_WRITER_PUBLIC_KEY_HEX),
                                rules.configured()),
                        audit,
                        new LandingChecks(
                                e.get(RefreshVariables.REORG_RECONCILER_ENABLED), node.rpc(), reconciler, ledgerParts),
                        balances,
                        windows,
                        finalizerEvents(events),
                        metrics.finalizer()),
                payout,
                serializer,
                clock);
        this.lane = laterLane.set(new CandidateLane(
                OwnerSettings.lane(e),
                new CandidatePorts(
                        node.rpc(),
                        node.further(),
                        finalizer,
                        outbox,
                        new SpoolAdapter(spool),
                        new LandingBarrier(new ParentLink(payout.parents()), credits),
                        tips,
                        laneSignals,
                        metrics.candidates()),
                clock));
        MinerJobs jobs = new MinerJobs(
                delivery, refresher, connections, bundles, e.get(DeliveryVariables.STRATUM_MAX_PENDING_INITIAL_JOBS));
        this.stratum = StratumServer.builder(stratumConfig)
                .addresses(new LocalAddresses(node.network()))
                .jobs(jobs, jobs)
                .shares(
                        new ShareCommits(writer, floor, health.controller(), solves, solveWorkers),
                        new SolveCandidates(
                                lane,
                                ledger.outbox(),
                                solves,
                                credits,
                                tips,
                                solveWorkers,
                                e.get(BlockVariables.BLOCK_SUBMIT_DB_TIMEOUT_SECONDS),
                                clock))
                .tips(tips)
                .pool(poolState())
                .metrics(
                        e.get(LifecycleVariables.HOT_PATH_LOG)
                                ? HotPathLog.around(
                                        StratumMetrics.class, metrics.stratum(), Set.of("accepted", "rejected"))
                                : metrics.stratum())
                .watch(listenerWatch())
                .clocks(clock, Clock.systemUTC())
                .build();
    }

    private TipRefresher<TemplateObservation, PoolWork> refresher(BundleWork work, PoolEvents events) {
        NodeRpc waiting = node.rpc().cancelledBy(health.controller().begun());
        RefreshEvents listener = new RefreshEvents(
                delivery,
                laterLane,
                health,
                e.get(RefreshVariables.TEMPLATE_REFRESH_FAILURE_EXIT_SECONDS),
                events,
                clock,
                this::templateChanged);
        RefreshPorts<TemplateObservation, PoolWork> ports = new RefreshPorts<>(
                new NodeChain(node.rpc(), waiting, node.network()),
                new Templates(templates, health.controller().begun()),
                work,
                new PayoutPublication(payout, health.controller().begun(), tip -> reconciler.keepOnly(tip.hash())),
                new DeliveryFanout(delivery, laterRefresher));
        RefreshCompanions companions = RefreshCompanions.none()
                .withCandidates(tip -> laterLane.get().observeTip(tip))
                .withReconciliation(
                        e.get(RefreshVariables.REORG_RECONCILER_ENABLED)
                                ? new Reconciliation(reconciler)
                                : ChainReconciliation.disabled())
                .withReadiness(readiness)
                .withHeartbeat(new RefreshBeats(health.heartbeats()))
                .withListener(listener)
                .withMetrics(metrics.refresh());
        return TipRefresher.create(RefreshSettings.of(e), ports, companions);
    }

    /** Own blocks accounted by this process. */
    long acceptedBlocks() {
        return accepted.get();
    }

    /** What the metrics document reads from these owners, and from the ledger and the node behind them. */
    List<MetricSource> readings(MetricFamilies families) {
        PoolGauges gauges = new PoolGauges(families, clock);
        BackendGauges asked = new BackendGauges(families, e.get(NodeVariables.QBIT_RPC_TIMEOUT_SECONDS), clock);
        gauges.configured(
                e.get(DifficultyVariables.STRATUM_VARDIFF), e.get(DeliveryVariables.STRATUM_MAX_PENDING_INITIAL_JOBS));
        return List.of(
                gauges.stratum(stratum),
                gauges.delivery(delivery),
                gauges.candidates(lane, accepted::get),
                gauges.shares(writer, stats),
                gauges.payout(payout),
                gauges.bundles(bundles),
                asked.ledger(ledgerParts.ledger()),
                asked.initialDownload(node.rpc()),
                asked.peers(node.rpc()),
                asked.spool(() -> spool.list().size()),
                asked.auditFolder(audit::usage));
    }

    private BlockEvidence.ShareCounts shareCounts() {
        ShareTotals totals = stats.totals();
        return new BlockEvidence.ShareCounts(totals.acceptedShares(), totals.distinctMiners());
    }

    /** Where an older release kept shares that its database did not take; the block spool lies beside it. */
    Path journal() {
        return Path.of(e.get(ShareWriterVariables.SHARE_RECOVERY_PATH)).toAbsolutePath();
    }

    private void templateChanged() {
        templates
                .current()
                .ifPresent(template ->
                        bundles.templateChanged(template.fingerprint().hex()));
    }

    private Optional<Hash256> activeBlockAt(long height, Deadline deadline) {
        return Optional.of(node.rpc().getBlockHash(height, deadline));
    }

    private ShareWriterEvents writerEvents() {
        return new ShareWriterEvents() {
            @Override
            public void beat() {
                health.heartbeats().beat("share_writer");
            }

            @Override
            public void fenced() {
                health.controller().request(OptionalInt.empty());
            }
        };
    }

    private FinalizerEvents finalizerEvents(PoolEvents events) {
        return new FinalizerEvents() {
            @Override
            public void landed(Hash256 hash, long height) {
                refresher.blockAccepted();
            }

            @Override
            public void accounted(CandidateIntent intent, long publicationSequence) {
                accepted.incrementAndGet();
                metrics.finalizer().accounted(intent.solution().coinbaseHex());
                events.blockAccounted(intent, publicationSequence);
            }

            @Override
            public void shutdownRequested(String reason, String message) {
                events.progress("stopping: " + reason + ": " + message);
                health.controller().request(OptionalInt.empty());
            }
        };
    }

    private PoolState poolState() {
        return new PoolState() {
            @Override
            public boolean open() {
                return laneSignals.poolOpen();
            }

            @Override
            public boolean shuttingDown() {
                return health.controller().phase() != ShutdownPhase.RUNNING;
            }
        };
    }

    private ListenerWatch listenerWatch() {
        return new ListenerWatch() {
            @Override
            public void beat(String heartbeat) {
                health.heartbeats().beat(heartbeat);
            }

            @Override
            public void failed(String listener, Throwable cause) {
                health.controller().request(OptionalInt.empty());
            }
        };
    }

    private Path spoolDirectory() {
        return journal().resolveSibling(FileBlockSpool.DIRECTORY);
    }
}
