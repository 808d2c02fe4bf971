package org.prismpool.app.composition;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.prismpool.app.composition.backend.StartFailure;
import org.prismpool.app.composition.health.HealthOwners;
import org.prismpool.app.composition.work.ClientCoverage;
import org.prismpool.app.endpoint.BalanceEndpoint;
import org.prismpool.app.endpoint.BundleEndpoint;
import org.prismpool.app.endpoint.FanoutEndpoint;
import org.prismpool.app.endpoint.LedgerReads;
import org.prismpool.app.endpoint.WindowEndpoint;
import org.prismpool.app.http.HttpEndpoint;
import org.prismpool.app.http.HttpListener;
import org.prismpool.app.http.HttpSite;
import org.prismpool.app.logging.LogOutput;
import org.prismpool.app.publicapi.serve.PublicSite;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.HttpVariables;
import org.prismpool.config.variable.LifecycleVariables;
import org.prismpool.lifecycle.health.BaseHealth;
import org.prismpool.lifecycle.health.BaseHealthPort;
import org.prismpool.lifecycle.health.HealthSnapshot;
import org.prismpool.lifecycle.metrics.LifecycleMetrics;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.lifecycle.metrics.MetricSource;
import org.prismpool.lifecycle.metrics.MetricsDocument;
import org.prismpool.lifecycle.startup.StartupPhase;

/** The private HTTP listener with what refreshes its answers: health snapshot and metrics document (spec 08 §5 to §7.3). */
final class PrivateHttp {

    private final PoolOwners owners;
    private final PoolContext context;
    private final CoordinatorOptions options;
    private final MetricFamilies families;

    private PrivateHttp(PoolOwners owners, CoordinatorOptions options, MetricFamilies families) {
        this.owners = owners;
        this.context = owners.context;
        this.options = options;
        this.families = families;
    }

    /**
     * Starts the two refreshers and the listener, if address and port of one are configured.
     *
     * @param owners whose state is shown
     * @param options may name the port
     * @param families of the metrics document
     * @param site what the public may see, served here too; empty if this process does not show it
     * @param progress told where it listens
     * @return the listener, to be closed by the caller; empty if none is configured
     * @throws StartFailure if it cannot be bound
     */
    static Optional<HttpListener> start(
            PoolOwners owners,
            CoordinatorOptions options,
            MetricFamilies families,
            Optional<PublicSite> site,
            Consumer<String> progress)
            throws StartFailure {
        Environment e = owners.context.environment();
        Optional<String> bind = e.find(HttpVariables.AUDIT_BIND).filter(host -> !host.isEmpty());
        Optional<Integer> port = options.httpPort()
                .or(() -> Optional.of(e.get(HttpVariables.AUDIT_PORT)).filter(configured -> configured > 0));
        if (bind.isEmpty() || port.isEmpty()) {
            return Optional.empty();
        }
        HttpListener listener = new PrivateHttp(owners, options, families).listener(bind.get(), port.get(), site);
        try {
            listener.start();
        } catch (IOException failed) {
            throw new StartFailure(failed.getMessage() + "; check PRISM_AUDIT_BIND and PRISM_AUDIT_PORT", failed);
        }
        owners.context.health().phases().reached(StartupPhase.AUDIT_LISTENER_BOUND);
        progress.accept("http: listening on " + bind.get() + ":" + listener.port());
        return Optional.of(listener);
    }

    private HttpListener listener(String bind, int port, Optional<PublicSite> site) {
        HealthOwners health = context.health();
        HealthSnapshot snapshot = snapshot();
        MetricsDocument document = document(snapshot);
        health.start(snapshot.service("prism-health-snapshot-refresher"));
        health.start(document.service("prism-metrics-snapshot-refresher"));
        LedgerReads reads = new LedgerReads(context.ledger(), context.operationTimeout(), context.clock());
        List<HttpEndpoint> endpoints = List.of(
                new HealthEndpoint(snapshot, health.fatal()),
                new MetricsEndpoint(document),
                new BalanceEndpoint(reads),
                new BundleEndpoint(reads, context.audit()),
                new FanoutEndpoint(reads),
                new WindowEndpoint(reads));
        return new HttpListener(
                "prism-audit-http",
                bind,
                port,
                site.map(shown -> shown.beside(endpoints)).orElseGet(() -> new HttpSite(endpoints, List.of())),
                families.counter("public_http_rejections_total", "busy")::increment);
    }

    private HealthSnapshot snapshot() {
        HealthOwners health = context.health();
        BaseHealthPort base = new PoolHealth(context.environment(), owners, context.ledger(), families);
        return new HealthSnapshot(
                context.environment().get(LifecycleVariables.HEALTH_REFRESH_SECONDS),
                () -> {
                    BaseHealth collected = base.collect();
                    health.phases().reached(StartupPhase.HEALTH_SNAPSHOT_WARM);
                    return collected;
                },
                health.mining(),
                health.progress(),
                new ClientCoverage(owners.work.delivery),
                () -> DriverStates.of(Optional.of(owners)),
                context.clock());
    }

    private MetricsDocument document(HealthSnapshot snapshot) {
        HealthOwners health = context.health();
        LifecycleMetrics own = new LifecycleMetrics(families);
        own.watchdog(health.fatal(), health.budgets());
        own.health(snapshot);
        own.process();
        families.counter("log_events_dropped_total").readFrom(LogOutput::dropped);
        families.gauge("config_warnings").set((double) options.configWarnings());
        List<MetricSource> sources = new ArrayList<>(List.of(
                own.shutdown(health.controller()),
                own.progress(health.progress(), new ClientCoverage(owners.work.delivery)),
                own.startup(health.phases())));
        sources.addAll(owners.readings(families));
        return new MetricsDocument(
                families,
                sources,
                context.environment().get(LifecycleVariables.METRICS_REFRESH_SECONDS),
                context.clock());
    }
}
