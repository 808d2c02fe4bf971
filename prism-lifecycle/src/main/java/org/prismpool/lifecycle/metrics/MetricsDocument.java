package org.prismpool.lifecycle.metrics;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.event.OutageLog;
import org.prismpool.lifecycle.service.FailurePolicy;
import org.prismpool.lifecycle.service.LoopBody;
import org.prismpool.lifecycle.service.LoopControl;
import org.prismpool.lifecycle.service.ServiceSpec;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The metrics document: collected and rendered in the background, served from memory.
 *
 * <p>Thread-safe. {@link #latest()} never waits for a collection and asks no backend. Source: spec 08 section 6.1.
 */
public final class MetricsDocument {

    private static final Logger LOG = LoggerFactory.getLogger(MetricsDocument.class);
    private static final String DOCUMENT = "document";
    private static final Duration LEAST_STALE_AGE = Duration.ofSeconds(15);
    private static final int STALE_PERIODS = 3;
    private static final int AGE_SCALE = 3;

    private final Duration period;
    private final List<MetricSource> sources;
    private final MonotonicClock clock;
    private final Supplier<String> renderer;
    private final Exposition exposition;
    private final Freshness freshness;
    private final AtomicReference<@Nullable Published> published = new AtomicReference<>();
    private final OutageLog owners;

    /**
     * Creates a document that has not been collected.
     *
     * @param families what is rendered
     * @param sources asked in this order before each rendering
     * @param period time between two collections; default of the pool 5 s
     * @param clock monotonic clock of the document's age
     */
    public MetricsDocument(MetricFamilies families, List<MetricSource> sources, Duration period, MonotonicClock clock) {
        this(
                families,
                sources,
                period,
                clock,
                () -> new Exposition(families)
                        .render(FamilyOrigin.COLLECTOR, FamilyOrigin.RECOVERY, FamilyOrigin.ADDED));
    }

    MetricsDocument(
            MetricFamilies families,
            List<MetricSource> sources,
            Duration period,
            MonotonicClock clock,
            Supplier<String> renderer) {
        this(families, sources, period, clock, renderer, LOG);
    }

    MetricsDocument(
            MetricFamilies families,
            List<MetricSource> sources,
            Duration period,
            MonotonicClock clock,
            Supplier<String> renderer,
            Logger log) {
        this.owners = new OutageLog(log, "owner");
        this.period = Objects.requireNonNull(period, "period");
        this.sources = List.copyOf(sources);
        this.clock = Objects.requireNonNull(clock, "clock");
        this.renderer = Objects.requireNonNull(renderer, "renderer");
        this.exposition = new Exposition(families);
        this.freshness = new Freshness(families, this::ageSeconds, this::staleNow);
        if (period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException("period must be more than zero, not " + period);
        }
    }

    /**
     * Asks every source and renders once; a failure is counted by its class and keeps the last document. Blocks as the
     * sources do.
     *
     * @return true if there is a new document
     * @throws InterruptedException if the calling thread is interrupted
     */
    public boolean collect() throws InterruptedException {
        try {
            for (MetricSource source : sources) {
                ask(source);
            }
            String text = renderer.get();
            if (text.isBlank() || !text.endsWith("\n")) {
                freshness.failed(Freshness.Failure.INVALID_PAYLOAD);
                return false;
            }
            published.set(new Published(text, clock.nanoTime()));
            freshness.succeeded();
            owners.answered(DOCUMENT, "metrics are collected again");
            return true;
        } catch (RuntimeException e) {
            freshness.failed(Freshness.Failure.EXCEPTION);
            owners.failed(Level.WARN, DOCUMENT, "metrics collection failed", e);
            return false;
        }
    }

    /**
     * Returns the last document with its freshness families. Never blocks.
     *
     * @return the answer to a scrape
     */
    public RenderedMetrics latest() {
        Published last = published.get();
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", Exposition.CONTENT_TYPE);
        headers.put("Cache-Control", "no-store");
        RenderedMetrics.State state = state(last);
        headers.put("X-Prism-Metrics-State", state.text());
        if (last != null) {
            headers.put("Age", Long.toString(age(last).toSeconds()));
        }
        if (state == RenderedMetrics.State.STALE) {
            headers.put("Warning", "110 qbit-prism \"metrics snapshot is stale; serving last complete payload\"");
        }
        String body = (last == null ? "" : last.text()) + exposition.render(FamilyOrigin.SCRAPE);
        return new RenderedMetrics(state, headers, body);
    }

    /**
     * Describes the collector as a service named {@code metrics_snapshot_refresher}, unwatched.
     *
     * @param threadName name of its thread, for example {@code prism-metrics-snapshot-refresher}
     * @return the description
     */
    public ServiceSpec service(String threadName) {
        return ServiceSpec.of("metrics_snapshot_refresher", threadName, this::loop)
                .unwatched()
                .withFailurePolicy(FailurePolicy.continueAfter(period));
    }

    private void loop(LoopControl control) throws Exception {
        freshness.running(true);
        try {
            LoopBody.every(period, this::collect).run(control);
        } finally {
            freshness.running(false);
        }
    }

    private void ask(MetricSource source) throws InterruptedException {
        try {
            source.collect();
            owners.answered(source.owner(), "metrics of an owner are readable again");
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            owners.failed(Level.WARN, source.owner(), "metrics of an owner are unreadable", e);
            source.unreadable();
        }
    }

    private RenderedMetrics.State state(@Nullable Published last) {
        if (last == null) {
            return RenderedMetrics.State.UNAVAILABLE;
        }
        return age(last).compareTo(staleAfter()) > 0 ? RenderedMetrics.State.STALE : RenderedMetrics.State.FRESH;
    }

    private boolean staleNow() {
        return state(published.get()) != RenderedMetrics.State.FRESH;
    }

    private Optional<Double> ageSeconds() {
        return Optional.ofNullable(published.get())
                .map(last -> BigDecimal.valueOf(age(last).toNanos(), 9)
                        .setScale(AGE_SCALE, RoundingMode.HALF_EVEN)
                        .doubleValue());
    }

    private Duration age(Published last) {
        return Duration.ofNanos(clock.nanoTime() - last.nanos());
    }

    private Duration staleAfter() {
        Duration periods = period.multipliedBy(STALE_PERIODS);
        return periods.compareTo(LEAST_STALE_AGE) > 0 ? periods : LEAST_STALE_AGE;
    }

    /** One complete document and when it was made. */
    private record Published(String text, long nanos) {}
}
