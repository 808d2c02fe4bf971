package org.prismpool.app.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleSupplier;
import org.prismpool.lifecycle.metrics.CounterSeries;
import org.prismpool.lifecycle.metrics.FamilyOrigin;
import org.prismpool.lifecycle.metrics.LifecycleMetrics;
import org.prismpool.lifecycle.metrics.MetricCatalogue;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.lifecycle.metrics.MetricFamily;
import org.prismpool.lifecycle.metrics.MetricsDocument;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.rpc.RpcMetrics;

/**
 * The metrics of the public process: those families of the pool that it feeds and no others, or an alert would take it for a
 * coordinator without miners. Thread-safe.
 */
public final class PublicMetrics {

    private static final Set<String> FED = Set.of(
            "node_rpc_calls_total",
            "node_rpc_seconds",
            "node_rpc_retries_total",
            "node_rpc_inflight",
            "process_resident_memory_bytes",
            "process_open_file_descriptors",
            "log_events_dropped_total",
            "public_http_rejections_total");
    // What PRISM_METRICS_REFRESH_SECONDS says by default; it is no variable of this process.
    private static final Duration PERIOD = Duration.ofSeconds(5);

    private final MetricFamilies families;
    private final NodeRpcCounters node;
    private final CounterSeries rateLimited;
    private final CounterSeries busy;

    /** Creates all series at zero. */
    public PublicMetrics() {
        MetricCatalogue pool = MetricCatalogue.ofThePool();
        this.families = new MetricFamilies(MetricCatalogue.of(
                pool.prefix(),
                pool.families().stream().filter(PublicMetrics::fed).toList()));
        this.node = new NodeRpcCounters(families);
        this.rateLimited = families.counter("public_http_rejections_total", "rate_limited");
        this.busy = families.counter("public_http_rejections_total", "busy");
        new LifecycleMetrics(families).process();
    }

    private static boolean fed(MetricFamily family) {
        return FED.contains(family.name()) || family.origin() == FamilyOrigin.SCRAPE;
    }

    /**
     * Returns the port of the node's client.
     *
     * @return counts its calls
     */
    public RpcMetrics node() {
        return node;
    }

    /** Counts a request of a client that asks too often. */
    public void rateLimited() {
        rateLimited.increment();
    }

    /** Counts a request that was one too many at a time. */
    public void busy() {
        busy.increment();
    }

    /**
     * Returns the document, not yet collected.
     *
     * @param droppedLogEvents read at each collection
     * @param clock monotonic
     * @return the document
     */
    public MetricsDocument document(DoubleSupplier droppedLogEvents, MonotonicClock clock) {
        families.counter("log_events_dropped_total").readFrom(droppedLogEvents);
        return new MetricsDocument(families, List.of(), PERIOD, clock);
    }
}
