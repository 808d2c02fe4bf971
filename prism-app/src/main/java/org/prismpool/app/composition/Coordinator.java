package org.prismpool.app.composition;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.prismpool.app.composition.backend.AuditFiles;
import org.prismpool.app.composition.backend.LedgerParts;
import org.prismpool.app.composition.backend.NodeParts;
import org.prismpool.app.composition.backend.StartFailure;
import org.prismpool.app.composition.health.HealthOwners;
import org.prismpool.app.composition.health.StopOwners;
import org.prismpool.app.composition.settings.StratumSettings;
import org.prismpool.app.composition.work.BundleCompilers;
import org.prismpool.app.http.HttpListener;
import org.prismpool.app.metrics.OwnerMetrics;
import org.prismpool.app.metrics.UnfedFamilies;
import org.prismpool.app.publicapi.serve.PublicSite;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.LedgerVariables;
import org.prismpool.config.variable.StratumVariables;
import org.prismpool.lifecycle.metrics.MetricCatalogue;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.lifecycle.service.Heartbeats;
import org.prismpool.lifecycle.shutdown.DrainStep;
import org.prismpool.lifecycle.shutdown.ShutdownController;
import org.prismpool.lifecycle.shutdown.ShutdownInProgressException;
import org.prismpool.lifecycle.shutdown.ShutdownReport;
import org.prismpool.lifecycle.shutdown.StopProgress;
import org.prismpool.lifecycle.startup.StartupPhase;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.CancelledException;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.lifecycle.watchdog.FatalReason;
import org.prismpool.lifecycle.watchdog.ProcessExit;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.stratum.StratumServer;
import org.prismpool.templates.VersionMaskProbe;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running coordinator: starts the owners in order, waits, and stops them in order; it decides nothing itself.
 *
 * <p>Source: spec 08 §2, §3.
 */
public final class Coordinator implements PoolProcess {

    private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);
    private static final Duration POLL = Duration.ofSeconds(1);

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
    private Optional<HttpListener> publicHttp = Optional.empty();

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

    @Override
    public void requestStop(OptionalInt signal) {
        stopping.controller().request(signal);
        starting.cancel("stop requested");
    }

    @Override
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
            Optional<PublicSite> site =
                    options.servesPublic() ? Optional.of(PublicHttp.site(owners, families)) : Optional.empty();
            http = PrivateHttp.start(owners, options, families, site, this::progress);
            if (site.isPresent()) {
                publicHttp = PublicHttp.start(site.get(), options, this::progress);
            }
            new WorkStart(owners, starting, this::progress).run();
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

    @Override
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

    /** {@inheritDoc} Admission first, then writer barrier, lease, and everything else. */
    @Override
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
        StopSteps steps = new StopSteps();
        publicHttp.ifPresent(steps::add);
        http.ifPresent(steps::add);
        observing.ifPresent(owners -> steps.addAll(owners.registry().drainOrder()));
        pool.ifPresent(steps::add);
        compilers.ifPresent(configured -> steps.add("bundle_compiler", configured::close));
        audit.ifPresent(files -> steps.add("audit_files", files::close));
        ledger.ifPresent(parts -> steps.add("ledger", parts::close));
        node.ifPresent(parts -> steps.add("node_rpc", parts::close));
        return steps.inOrder();
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
     * Returns the port of the public HTTP listener.
     *
     * @return the bound port, empty if there is none
     */
    public OptionalInt publicPort() {
        return publicHttp.map(listener -> OptionalInt.of(listener.port())).orElseGet(OptionalInt::empty);
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
