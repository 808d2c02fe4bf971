package org.prismpool.app.composition;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.prismpool.app.composition.backend.NodeParts;
import org.prismpool.app.composition.backend.StartFailure;
import org.prismpool.app.composition.reader.AuditFolder;
import org.prismpool.app.composition.reader.DatabaseVerdict;
import org.prismpool.app.composition.reader.DatabaseWatch;
import org.prismpool.app.composition.reader.ReadDatabase;
import org.prismpool.app.composition.reader.ReaderHealth;
import org.prismpool.app.composition.reader.StaleAnswers;
import org.prismpool.app.composition.reader.StalenessBudgets;
import org.prismpool.app.http.HttpListener;
import org.prismpool.app.logging.LogOutput;
import org.prismpool.app.metrics.PublicMetrics;
import org.prismpool.app.publicapi.cache.CacheLimits;
import org.prismpool.app.publicapi.route.PublicApiSettings;
import org.prismpool.app.publicapi.serve.PublicSite;
import org.prismpool.config.Environment;
import org.prismpool.config.render.ConfigPrinter;
import org.prismpool.config.variable.HttpVariables;
import org.prismpool.config.variable.PublicApiVariables;
import org.prismpool.config.variable.Variable;
import org.prismpool.lifecycle.event.LifecycleEvents;
import org.prismpool.lifecycle.metrics.MetricsDocument;
import org.prismpool.lifecycle.service.Heartbeats;
import org.prismpool.lifecycle.service.ServiceObserver;
import org.prismpool.lifecycle.service.ServiceRegistry;
import org.prismpool.lifecycle.service.ServiceSpec;
import org.prismpool.lifecycle.shutdown.LeasePort;
import org.prismpool.lifecycle.shutdown.ShutdownConfig;
import org.prismpool.lifecycle.shutdown.ShutdownController;
import org.prismpool.lifecycle.shutdown.ShutdownReport;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.CancelledException;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The public API on its own: a node, a database that is only read and the audit folder, and nothing else of a pool; no key, no
 * lease, no miner.
 *
 * <p>Source: spec 08 §7.9.
 */
public final class PublicProcess implements PoolProcess {

    private static final Logger LOG = LoggerFactory.getLogger(PublicProcess.class);
    private static final Duration POLL = Duration.ofSeconds(1);

    private final Environment e;
    private final Optional<Integer> port;
    private final PoolEvents events;
    private final MonotonicClock clock = MonotonicClock.system();
    private final PublicMetrics metrics = new PublicMetrics();
    private final CancelSource starting = new CancelSource();
    private final ShutdownController controller;
    private final ServiceRegistry services;
    private Optional<NodeParts> node = Optional.empty();
    private Optional<ReadDatabase> database = Optional.empty();
    private Optional<HttpListener> privateHttp = Optional.empty();
    private Optional<HttpListener> publicHttp = Optional.empty();

    /**
     * Creates a process; nothing is opened yet.
     *
     * @param environment values of the public role, without errors
     * @param port port of the public listener instead of the configured one; 0 takes a free port
     * @param events told of what a host program may want to show
     */
    public PublicProcess(Environment environment, Optional<Integer> port, PoolEvents events) {
        this.e = environment;
        this.port = port;
        this.events = events;
        this.controller = new ShutdownController(
                ShutdownConfig.defaults(), LeasePort.none(), clock, LifecycleEvents.logged(LogOutput::flush));
        this.services = new ServiceRegistry(
                controller.stopSignal(), new Heartbeats(clock), ServiceObserver.none(), Duration.ofMillis(250));
    }

    @Override
    public boolean start() throws StartFailure, InterruptedException {
        try {
            AuditFolder audit = AuditFolder.open(e);
            progress("database: asking for its schema");
            ReadDatabase opened = ReadDatabase.open(e, clock);
            database = Optional.of(opened);
            DatabaseWatch watch = opened.watch(e, clock);
            requireUsable(watch);
            NodeParts parts = NodeParts.reading(e, metrics.node());
            node = Optional.of(parts);
            progress("node: waiting for an answer, at most 60 s");
            StartChecks checks = new StartChecks(e, parts, clock);
            checks.awaitNode(starting);
            checks.identity();
            run(watch.service());
            privateHttp = startPrivate(watch);
            publicHttp = Optional.of(startPublic(opened, parts, audit, watch));
            banner(opened);
            progress("ready");
            return !controller.stopSignal().requested();
        } catch (CancelledException stopped) {
            LOG.atInfo().addKeyValue("at", stopped.getMessage()).log("the start ends early, a stop was requested");
            return false;
        }
    }

    /** A standby that hears from nobody now may be caught up in a minute; a server of the wrong kind stays wrong. */
    private void requireUsable(DatabaseWatch watch) throws StartFailure {
        DatabaseVerdict verdict = watch.ask();
        if (watch.said().isEmpty()) {
            throw new StartFailure(verdict.reason() + "; check PRISM_PUBLIC_DATABASE_URL");
        }
        if (verdict.available()) {
            return;
        }
        if (!watch.said().get().inRecovery()) {
            throw new StartFailure(verdict.reason()
                    + "; check PRISM_PUBLIC_DATABASE_URL, or set PRISM_PUBLIC_REPLICA_MODE=off to read from a primary");
        }
        LOG.atWarn()
                .addKeyValue("reason", verdict.reason())
                .log("the standby is not current yet, nothing is served from it");
    }

    private Optional<HttpListener> startPrivate(DatabaseWatch watch) throws StartFailure {
        Optional<String> bind = e.find(HttpVariables.AUDIT_BIND).filter(host -> !host.isEmpty());
        int configured = e.get(HttpVariables.AUDIT_PORT);
        if (bind.isEmpty() || configured == 0) {
            return Optional.empty();
        }
        MetricsDocument document = metrics.document(LogOutput::dropped, clock);
        run(document.service("prism-metrics-snapshot-refresher"));
        HttpListener listener = new HttpListener(
                "prism-audit-http",
                bind.get(),
                configured,
                List.of(new ReaderHealth(watch), new MetricsEndpoint(document)),
                metrics::busy);
        start(listener, "PRISM_AUDIT_BIND and PRISM_AUDIT_PORT");
        progress("http: health and metrics on " + bind.get() + ":" + listener.port());
        return Optional.of(listener);
    }

    private HttpListener startPublic(ReadDatabase opened, NodeParts parts, AuditFolder audit, DatabaseWatch watch)
            throws StartFailure {
        CacheLimits configured = PublicApiSettings.of(e).limits();
        boolean caching = e.get(PublicApiVariables.PUBLIC_CACHE_ENABLED);
        CacheLimits limits = caching ? configured : new CacheLimits(1, 0, 0);
        StaleAnswers stale = new StaleAnswers(watch, new StalenessBudgets(e), limits, clock);
        PublicSite site = new PublicParts(opened.ledger(), parts, audit)
                .site(e, Optional.empty(), new PublicSite.Refusals(metrics::rateLimited, metrics::busy), clock)
                .through(stale);
        HttpListener listener = site.listener(port)
                .orElseThrow(() -> new StartFailure("there is nothing to listen on; check PRISM_PUBLIC_API_BIND"));
        start(listener, "PRISM_PUBLIC_API_BIND and PRISM_PUBLIC_API_PORT");
        progress("http: public API on " + e.get(PublicApiVariables.PUBLIC_API_BIND) + ":" + listener.port());
        return listener;
    }

    private void run(ServiceSpec service) {
        services.register(service);
        services.start(service.name());
    }

    private static void start(HttpListener listener, String variables) throws StartFailure {
        try {
            listener.start();
        } catch (IOException failed) {
            throw new StartFailure(failed.getMessage() + "; check " + variables, failed);
        }
    }

    private void banner(ReadDatabase opened) {
        LOG.atInfo()
                .addKeyValue("bind", e.get(PublicApiVariables.PUBLIC_API_BIND) + ":" + publicPort())
                .addKeyValue("database", shown(PublicApiVariables.PUBLIC_DATABASE_URL))
                .addKeyValue("replica_mode", shown(PublicApiVariables.PUBLIC_REPLICA_MODE))
                .addKeyValue("replica_max_lag", shown(PublicApiVariables.PUBLIC_REPLICA_MAX_LAG_SECONDS))
                .addKeyValue("dashboard", shown(PublicApiVariables.DASHBOARD_ENABLED))
                .addKeyValue("stratum_url", shown(PublicApiVariables.PUBLIC_STRATUM_URL))
                .addKeyValue("ledger", opened.ledger().backend())
                .addKeyValue("ledger_execution", "read-only")
                .log("prism public process listens");
    }

    private String shown(Variable<?> variable) {
        return ConfigPrinter.shown(variable, e).orElse("");
    }

    @Override
    public void awaitStop() throws InterruptedException {
        while (!controller.stopSignal().await(POLL)) {
            // a bounded wait each time, so that an interrupt is noticed
        }
    }

    @Override
    public void requestStop(OptionalInt signal) {
        controller.request(signal);
        starting.cancel("stop requested");
    }

    /** {@inheritDoc} There is neither a writer to wait for nor a lease to give back. */
    @Override
    public ShutdownReport stop(String reason) {
        requestStop(OptionalInt.empty());
        ShutdownReport report = controller.shutdown(reason);
        StopSteps steps = new StopSteps();
        publicHttp.ifPresent(steps::add);
        privateHttp.ifPresent(steps::add);
        steps.addAll(services.drainOrder());
        database.ifPresent(opened -> steps.add("ledger", opened::close));
        node.ifPresent(parts -> steps.add("node_rpc", parts::close));
        controller.drain(steps.inOrder());
        return report;
    }

    /**
     * Returns the port of the public listener.
     *
     * @return the bound port, 0 before {@link #start} has bound it
     */
    public int publicPort() {
        return publicHttp.map(HttpListener::port).orElse(0);
    }

    private void progress(String text) {
        LOG.atInfo().addKeyValue("step", text).log("start");
        events.progress(text);
    }
}
