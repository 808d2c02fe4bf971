package org.prismpool.app.composition;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.prismpool.app.composition.backend.AuditFiles;
import org.prismpool.app.composition.backend.LedgerParts;
import org.prismpool.app.composition.backend.NodeParts;
import org.prismpool.app.composition.backend.StartFailure;
import org.prismpool.app.composition.block.JournalReplay;
import org.prismpool.app.composition.health.HealthOwners;
import org.prismpool.app.composition.health.StopOwners;
import org.prismpool.app.composition.settings.StratumSettings;
import org.prismpool.app.composition.work.BundleCompilers;
import org.prismpool.app.composition.work.ClientCoverage;
import org.prismpool.app.endpoint.BalanceEndpoint;
import org.prismpool.app.endpoint.BundleEndpoint;
import org.prismpool.app.endpoint.FanoutEndpoint;
import org.prismpool.app.endpoint.LedgerReads;
import org.prismpool.app.endpoint.WindowEndpoint;
import org.prismpool.app.http.HttpEndpoint;
import org.prismpool.app.http.HttpListener;
import org.prismpool.app.logging.LogOutput;
import org.prismpool.app.metrics.OwnerMetrics;
import org.prismpool.app.metrics.UnfedFamilies;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.BlockVariables;
import org.prismpool.config.variable.HttpVariables;
import org.prismpool.config.variable.LedgerVariables;
import org.prismpool.config.variable.LifecycleVariables;
import org.prismpool.config.variable.StratumVariables;
import org.prismpool.lifecycle.event.LifecycleEvent;
import org.prismpool.lifecycle.event.LifecycleEvents;
import org.prismpool.lifecycle.executor.BoundedPriorityExecutor;
import org.prismpool.lifecycle.executor.CloseMode;
import org.prismpool.lifecycle.health.BaseHealth;
import org.prismpool.lifecycle.health.BaseHealthPort;
import org.prismpool.lifecycle.health.HealthSnapshot;
import org.prismpool.lifecycle.metrics.LifecycleMetrics;
import org.prismpool.lifecycle.metrics.MetricCatalogue;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.lifecycle.metrics.MetricSource;
import org.prismpool.lifecycle.metrics.MetricsDocument;
import org.prismpool.lifecycle.service.Heartbeats;
import org.prismpool.lifecycle.service.LoopBody;
import org.prismpool.lifecycle.service.ServiceSpec;
import org.prismpool.lifecycle.shutdown.DrainStep;
import org.prismpool.lifecycle.shutdown.ShutdownController;
import org.prismpool.lifecycle.shutdown.ShutdownInProgressException;
import org.prismpool.lifecycle.shutdown.ShutdownReport;
import org.prismpool.lifecycle.shutdown.StopProgress;
import org.prismpool.lifecycle.shutdown.WriterComponent;
import org.prismpool.lifecycle.startup.StartupPhase;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.CancelledException;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.lifecycle.watchdog.FatalReason;
import org.prismpool.lifecycle.watchdog.ProcessExit;
import org.prismpool.payout.finalization.OfferLane;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.refresh.PrewarmOutcome;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.LedgerDeadlineException;
import org.prismpool.sharewriter.LedgerUnavailableException;
import org.prismpool.stratum.StratumServer;
import org.prismpool.templates.VersionMaskProbe;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running coordinator: starts the owners in order, waits, and stops them in order; it decides nothing itself.
 *
 * <p>{@link #start}, {@link #awaitStop} and {@link #stop} are called by one thread; {@link #requestStop} by any. Source: spec
 * 08 §2, §3.
 */
public final class Coordinator {

    private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration CLOSE = Duration.ofSeconds(5);
    private static final Duration STATS_LIMIT = Duration.ofMinutes(10);

    private final Environment e;
    private final CoordinatorOptions options;
    private final PoolEvents events;
    private final MonotonicClock clock;
    private final MetricFamilies families;
    private final OwnerMetrics metrics;
    private final StopOwners stopping;
    private final CancelSource starting = new CancelSource();
    private Optional<NodeParts> node = Optional.empty();
    private Optional<LedgerParts> ledger = Optional.empty();
    private Optional<AuditFiles> audit = Optional.empty();
    private Optional<BundleCompilers> compilers = Optional.empty();
    private Optional<HealthOwners> observing = Optional.empty(); // from the acquisition of the lease on
    private Optional<PoolOwners> pool = Optional.empty();
    private Optional<HttpListener> http = Optional.empty();

    /**
     * Creates a coordinator; nothing is opened yet.
     *
     * @param environment values without errors
     * @param options what the host program decides besides the environment
     * @param events told of what a host program may want to show
     */
    public Coordinator(Environment environment, CoordinatorOptions options, PoolEvents events) {
        this(environment, options, events, MonotonicClock.system());
    }

    /**
     * Creates a coordinator with another clock; nothing is opened yet.
     *
     * @param environment values without errors
     * @param options what the host program decides besides the environment
     * @param events told of what a host program may want to show
     * @param clock of every age, deadline and timeout
     */
    public Coordinator(Environment environment, CoordinatorOptions options, PoolEvents events, MonotonicClock clock) {
        this.e = environment;
        this.options = options;
        this.events = events;
        this.clock = clock;
        List<String> listeners = StratumSettings.listenerNames(environment);
        boolean durable = LedgerParts.databaseUrl(environment).isPresent();
        this.families = new MetricFamilies(UnfedFamilies.marked(MetricCatalogue.ofThePool(), durable)
                .withValues("vardiff_lane_accepted_shares_total", "lane", listeners)
                .withValues("vardiff_lane_accepted_shares_per_second", "lane", listeners));
        this.metrics = OwnerMetrics.of(families, durable, clock);
        this.stopping = StopOwners.create(
                environment,
                ProcessExit.ofThisProcess(),
                () -> DriverStates.of(pool).fields(),
                clock);
        stopping.controller().begun().onCancel(() -> starting.cancel("shutting down"));
    }

    /**
     * Requests an orderly stop; returns at once, also from a signal handler.
     *
     * @param signal number of the signal that asked for it, empty for another cause
     */
    public void requestStop(OptionalInt signal) {
        stopping.controller().request(signal);
        starting.cancel("stop requested");
    }

    /**
     * Starts everything in the documented order.
     *
     * @return false if a stop was requested meanwhile; {@link #stop} must be called in any case
     * @throws StartFailure if a check fails or something needed cannot be reached; the message says what and how to mend it
     * @throws InterruptedException if interrupted
     */
    public boolean start() throws StartFailure, InterruptedException {
        try {
            StartChecks checks = openNode();
            VersionMaskProbe.Probed mask = checks.versionMask();
            openLedger();
            audit = Optional.of(AuditFiles.open(
                    e,
                    ledger.orElseThrow().ledger(),
                    SigningSeed.ofHex(e.get(LedgerVariables.LEDGER_ATTESTATION_SIGNING_SEED_HEX)
                                    .reveal())
                            .publicKeyHex(),
                    clock));
            compilers = Optional.of(
                    new BundleCompilers(e, metrics.helpers(), options.backends().compiler(), clock));
            PoolContext context = PoolContext.of(
                    e, node.orElseThrow(), ledger.orElseThrow(), audit.orElseThrow(), health(), metrics, events, clock);
            pool = Optional.of(new PoolOwners(
                    context, compilers.orElseThrow(), StratumSettings.of(e, mask.mask(), options.stratumPort())));
            PoolOwners owners = pool.get();
            bind(owners);
            progress("stratum: listening on port " + stratumPort());
            progress("node: waiting for an answer, at most 60 s");
            checks.awaitNode(starting);
            health().phases().reached(StartupPhase.NODE_RPC_READY);
            checks.run();
            StartBanner.log(e, mask, ledger.orElseThrow().ledger(), owners.stratum);
            startHttp(owners);
            startWork(owners);
            owners.stratum.start();
            progress("ready");
            return !stopping.controller().stopSignal().requested();
        } catch (CancelledException | ShutdownInProgressException stopped) {
            LOG.atInfo().addKeyValue("at", stopped.getMessage()).log("the start ends early, a stop was requested");
            return false;
        }
    }

    private void bind(PoolOwners owners) throws StartFailure, InterruptedException {
        try {
            owners.stratum.bind(starting);
        } catch (UncheckedIOException refused) {
            int port = options.stratumPort().orElseGet(() -> e.get(StratumVariables.STRATUM_PORT));
            throw new StartFailure(
                    refused.getMessage() + ", default port " + port + ": "
                            + refused.getCause()
                            + "; check PRISM_STRATUM_BIND, PRISM_STRATUM_PORT and PRISM_STRATUM_HIGHDIFF_PORT",
                    refused);
        }
    }

    private StartChecks openNode() {
        NodeParts parts = new NodeParts(e, metrics.node());
        node = Optional.of(parts);
        return new StartChecks(e, parts, clock);
    }

    private void openLedger() throws StartFailure {
        try {
            LedgerParts opened = LedgerParts.open(
                    e,
                    metrics.ledger(),
                    reason -> {
                        LOG.atError().addKeyValue("reason", reason).log("writer lease lost");
                        stopping.fatal().fire(new FatalReason.LeaseHeartbeat(reason, Duration.ZERO, Duration.ZERO));
                    },
                    this::progress,
                    starting,
                    clock);
            ledger = Optional.of(opened.around(options.backends().ledger()));
            if (!stopping.slot().acquired(opened.leasePort())) {
                throw new CancelledException("the shutdown ran before the lease was acquired");
            }
            observing = Optional.of(HealthOwners.create(e, stopping, families, clock));
            health().phases().reached(StartupPhase.LEASE_HEARTBEAT_STARTED);
        } catch (CancelledException stopped) {
            throw stopped;
        } catch (RuntimeException failed) {
            throw new StartFailure(
                    "the ledger cannot be opened: " + failed.getMessage() + "; check PRISM_DATABASE_URL", failed);
        }
    }

    private void startHttp(PoolOwners owners) throws StartFailure {
        Optional<String> bind = e.find(HttpVariables.AUDIT_BIND).filter(host -> !host.isEmpty());
        Optional<Integer> port = options.httpPort()
                .or(() -> Optional.of(e.get(HttpVariables.AUDIT_PORT)).filter(configured -> configured > 0));
        if (bind.isEmpty() || port.isEmpty()) {
            return;
        }
        BaseHealthPort base = new PoolHealth(e, owners, ledger.orElseThrow().ledger(), families);
        HealthSnapshot snapshot = new HealthSnapshot(
                e.get(LifecycleVariables.HEALTH_REFRESH_SECONDS),
                () -> {
                    BaseHealth collected = base.collect();
                    health().phases().reached(StartupPhase.HEALTH_SNAPSHOT_WARM);
                    return collected;
                },
                health().mining(),
                health().progress(),
                new ClientCoverage(owners.work.delivery),
                () -> DriverStates.of(pool),
                clock);
        MetricsDocument document = metrics(snapshot, owners);
        startService(snapshot.service("prism-health-snapshot-refresher"));
        startService(document.service("prism-metrics-snapshot-refresher"));
        LedgerReads reads = new LedgerReads(
                ledger.orElseThrow().ledger(), e.get(LedgerVariables.POSTGRES_OPERATION_TIMEOUT_SECONDS), clock);
        List<HttpEndpoint> endpoints = List.of(
                new OperatorEndpoints(snapshot, document, stopping.fatal()),
                new BalanceEndpoint(reads),
                new BundleEndpoint(reads, audit.orElseThrow()),
                new FanoutEndpoint(reads),
                new WindowEndpoint(reads));
        HttpListener listener = new HttpListener(
                "prism-audit-http",
                bind.get(),
                port.get(),
                endpoints,
                families.counter("public_http_rejections_total", "busy")::increment);
        try {
            listener.start();
        } catch (IOException failed) {
            throw new StartFailure(failed.getMessage() + "; check PRISM_AUDIT_BIND and PRISM_AUDIT_PORT", failed);
        }
        http = Optional.of(listener);
        health().phases().reached(StartupPhase.AUDIT_LISTENER_BOUND);
        progress("http: listening on " + bind.get() + ":" + listener.port());
    }

    private MetricsDocument metrics(HealthSnapshot snapshot, PoolOwners owners) {
        LifecycleMetrics own = new LifecycleMetrics(families);
        own.watchdog(stopping.fatal(), health().budgets());
        own.health(snapshot);
        own.process();
        families.counter("log_events_dropped_total").readFrom(LogOutput::dropped);
        families.gauge("config_warnings").set((double) options.configWarnings());
        List<MetricSource> sources = new ArrayList<>(List.of(
                own.shutdown(stopping.controller()),
                own.progress(health().progress(), new ClientCoverage(owners.work.delivery)),
                own.startup(health().phases())));
        sources.addAll(owners.readings(families));
        return new MetricsDocument(families, sources, e.get(LifecycleVariables.METRICS_REFRESH_SECONDS), clock);
    }

    private void startWork(PoolOwners owners) throws StartFailure, InterruptedException {
        Ledger rows = ledger.orElseThrow().ledger();
        JournalReplay.run(
                owners.context.journal(),
                rows,
                owners.context.writes(WriterComponent.SHARE_RECOVERY_REPLAY),
                metrics.shares(),
                this::progress);
        // The cost of this follows the number of miners. All shares are counted in the background: on a big ledger that
        // takes minutes, which no miner has to wait for.
        owners.context
                .readiness()
                .seen(rows.shares().miners(operation("ready-miners")).size());
        owners.work.bundles.start();
        owners.payout.reanchor.start();
        owners.work.delivery.start();
        owners.blocks.writer.start();
        owners.blocks.finalizer.start(OfferLane.of(owners.blocks.lane));
        owners.blocks.lane.start();
        replay(owners);
        starting.throwIfCancelled();
        owners.payout.state.publishCurrent(true, operation("payout-state"), starting);
        startService(health().watchdog().service("prism-watchdog"));
        startService(statistics(owners, rows));
        startService(stuckLedgerCalls(owners));
        PrewarmOutcome warm = owners.work.refresher.prewarm();
        progress("prewarm: " + (warm.published() ? "complete" : "deferred, " + warm.reason()));
        owners.work.refresher.start();
    }

    private Deadline operation(String name) {
        return Deadline.after(e.get(LedgerVariables.POSTGRES_OPERATION_TIMEOUT_SECONDS), clock, name);
    }

    private void replay(PoolOwners owners) {
        if (outboxRead(owners)) {
            enumerated(owners);
        } else {
            progress("block replay: not complete yet, job builds wait for it");
            startService(ServiceSpec.of("block_replay_gate", "prism-block-replay-gate", control -> {
                while (!owners.blocks.lane.snapshot().enumerated() && control.pause(POLL)) {
                    control.beat();
                }
                if (owners.blocks.lane.snapshot().enumerated()) {
                    enumerated(owners);
                }
                control.retire();
            }));
        }
    }

    /** Best effort: what is missing is read later, and no work is built before (spec 08 S9). */
    private boolean outboxRead(PoolOwners owners) {
        Duration limit = e.get(BlockVariables.BLOCK_LANDING_DB_TIMEOUT_SECONDS);
        try {
            return owners.blocks.lane.replay(Deadline.after(limit, clock, "block-replay"));
        } catch (LedgerDeadlineException | LedgerUnavailableException unread) {
            LOG.atWarn().addKeyValue("reason", unread.getMessage()).log("block outbox not read yet");
            return false;
        }
    }

    private void enumerated(PoolOwners owners) {
        owners.payout.state.parents().replayEnumerated();
        health().phases().reached(StartupPhase.BLOCK_REPLAY_ENUMERATED);
    }

    private ServiceSpec statistics(PoolOwners owners, Ledger rows) {
        Duration cache = e.get(LedgerVariables.ACCEPTED_STATS_CACHE_SECONDS);
        Duration period = cache.isZero() ? POLL : cache;
        Runnable pass = metrics.shares()
                .counted(() -> owners.context
                        .stats()
                        .reconcile(rows.shares(), Deadline.after(STATS_LIMIT, clock, "accepted-share-statistics")));
        return ServiceSpec.of(
                        "accepted_share_statistics",
                        "prism-accepted-share-statistics",
                        LoopBody.every(period, pass::run))
                .unwatched();
    }

    /** Restarts the process when block accounting has lost both of its ledger calls. */
    private static ServiceSpec stuckLedgerCalls(PoolOwners owners) {
        return ServiceSpec.of("block_ledger_calls", "prism-block-ledger-calls", control -> {
                    while (control.pause(POLL)) {
                        if (owners.context.blockCalls().restartNeeded()) {
                            owners.blocks.signals.restartRequired("ledger calls of block accounting are stuck");
                        }
                    }
                })
                .unwatched();
    }

    private void startService(ServiceSpec spec) {
        health().registry().register(spec);
        health().registry().start(spec.name());
    }

    /**
     * Waits until a stop is requested.
     *
     * @throws InterruptedException if interrupted
     */
    public void awaitStop() throws InterruptedException {
        while (!stopping.controller().stopSignal().await(POLL)) {
            // a bounded wait each time, so that an interrupt is noticed
        }
    }

    /**
     * Tells whether somebody, or an owner itself, has asked for the end.
     *
     * @return true from the first request on
     */
    public boolean stopRequested() {
        return stopping.controller().stopSignal().requested();
    }

    /**
     * Stops in the documented order: admission, writer barrier, lease, then everything else.
     *
     * @param reason stable word for logs
     * @return what became of barrier and lease
     */
    public ShutdownReport stop(String reason) {
        ShutdownController controller = stopping.controller();
        controller.request(OptionalInt.empty());
        starting.cancel("stop requested");
        pool.map(owners -> owners.stratum).ifPresent(StratumServer::stopAccepting);
        StopProgress progress = StopProgress.start(controller, clock, "prism-stop-progress", this::stopProgress);
        try {
            ShutdownReport report = controller.shutdown(reason);
            controller.drain(drainSteps());
            return report;
        } finally {
            progress.close();
        }
    }

    private List<DrainStep> drainSteps() {
        List<DrainStep> steps = new ArrayList<>();
        http.ifPresent(listener -> steps.add(new DrainStep("audit_http", CLOSE, bound -> closed(listener))));
        observing.ifPresent(owners -> steps.addAll(owners.registry().drainOrder()));
        pool.ifPresent(owners -> {
            steps.add(closing("tip_refresher", owners.work.refresher::close));
            steps.add(closing("chain_reconciler", owners.payout.reconciler::close));
            steps.add(closing("window_reanchor", owners.payout.reanchor::close));
            steps.add(closing("job_delivery", owners.work.delivery::close));
            steps.add(closing("stratum", owners.stratum::close));
            steps.add(closing("candidate_lane", owners.blocks.lane::close));
            steps.add(closing("block_finalizer", owners.blocks.finalizer::close));
            steps.add(closing("bundle_service", owners.work.bundles::close));
            steps.add(closing("share_writer", owners.blocks.writer::close));
            steps.add(closing("solve_workers", owners.solveWorkers));
            steps.add(closing("workers", owners.workers));
        });
        compilers.ifPresent(configured -> steps.add(closing("bundle_compiler", configured::close)));
        audit.ifPresent(files -> steps.add(closing("audit_files", files::close)));
        ledger.ifPresent(parts -> steps.add(closing("ledger", parts::close)));
        node.ifPresent(parts -> steps.add(closing("node_rpc", parts::close)));
        return steps;
    }

    private static boolean closed(HttpListener listener) {
        listener.close();
        boolean clean = listener.state() == HttpListener.State.STOPPED;
        if (!clean) {
            LifecycleEvents.logged().tell(LifecycleEvent.of("audit_http_stop", Map.of("outcome", "timeout")));
        }
        return clean;
    }

    private static DrainStep closing(String name, BoundedPriorityExecutor executor) {
        return new DrainStep(
                name,
                CLOSE,
                bound -> executor.close(CloseMode.CANCEL_QUEUED, bound).isEmpty());
    }

    private static DrainStep closing(String name, Runnable close) {
        return new DrainStep(name, CLOSE, bound -> {
            close.run();
            return true;
        });
    }

    /**
     * Returns the port of the default Stratum listener.
     *
     * @return the bound port, 0 before {@link #start} has bound it
     */
    public int stratumPort() {
        return pool.map(owners -> owners.stratum.port("default").orElse(0)).orElse(0);
    }

    /**
     * Returns the port of the private HTTP listener.
     *
     * @return the bound port, empty if there is none
     */
    public OptionalInt httpPort() {
        return http.map(listener -> OptionalInt.of(listener.port())).orElseGet(OptionalInt::empty);
    }

    /**
     * Returns the numbers a live view shows.
     *
     * @return a snapshot, empty before the owners exist
     */
    public Optional<PoolView> view() {
        return pool.map(owners ->
                PoolView.of(owners, metrics.stratum(), node.orElseThrow().network()));
    }

    /** Signs of life of the watched loops. */
    Heartbeats heartbeats() {
        return health().heartbeats();
    }

    private HealthOwners health() {
        return observing.orElseThrow(() -> new IllegalStateException("the lease is not held yet"));
    }

    private void stopProgress(String line) {
        LOG.atInfo().addKeyValue("step", line).log("stop");
        events.progress("stopping: " + line);
    }

    private void progress(String text) {
        LOG.atInfo().addKeyValue("step", text).log("start");
        events.progress(text);
    }
}
