package org.prismpool.lifecycle.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.service.Heartbeats;
import org.prismpool.lifecycle.service.ServiceHandle;
import org.prismpool.lifecycle.service.ServiceObserver;
import org.prismpool.lifecycle.service.ServiceRegistry;
import org.prismpool.lifecycle.shutdown.StopLatch;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.testing.RecordingLogger;
import org.prismpool.lifecycle.testing.TestThreads;
import org.slf4j.event.Level;

class MetricsDocumentTest {

    private static final Duration PERIOD = Duration.ofSeconds(5);

    private final ManualClock clock = new ManualClock();
    private final MetricFamilies families = new MetricFamilies(MetricCatalogue.ofThePool());

    @Test
    void beforeTheFirstDocumentOnlyTheFreshnessIsServed() {
        RenderedMetrics answer = document(List.of()).latest();

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.headers())
                .isEqualTo(Map.of(
                        "Content-Type", "text/plain; version=0.0.4",
                        "Cache-Control", "no-store",
                        "X-Prism-Metrics-State", "unavailable"));
        ParsedExposition body = new ParsedExposition(answer.body());
        assertThat(body.types()).hasSize(7);
        assertThat(body.value("qbit_prism_metrics_snapshot_available")).contains("0");
        assertThat(body.value("qbit_prism_metrics_snapshot_age_seconds")).contains("-1");
        assertThat(body.value("qbit_prism_metrics_snapshot_stale")).contains("1");
    }

    @Test
    void aFreshDocumentIsServedWithItsAge() throws Exception {
        families.counter("submitted_shares_total").add(3);
        MetricsDocument document = document(List.of());
        document.collect();
        clock.advance(Duration.ofMillis(1_234));

        RenderedMetrics answer = document.latest();

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers())
                .containsEntry("X-Prism-Metrics-State", "fresh")
                .containsEntry("Age", "1")
                .doesNotContainKey("Warning");
        assertThat(value(answer, "submitted_shares_total")).contains("3");
        assertThat(value(answer, "metrics_snapshot_age_seconds")).contains("1.234");
        assertThat(value(answer, "metrics_snapshot_generation")).contains("1");
        assertThat(value(answer, "metrics_collection_successes_total")).contains("1");
        assertThat(value(answer, "metrics_snapshot_stale")).contains("0");
    }

    @Test
    void aScrapeShowsTheLastDocumentNotTheCountersOfNow() throws Exception {
        MetricsDocument document = document(List.of());
        document.collect();
        families.counter("submitted_shares_total").increment();

        assertThat(value(document.latest(), "submitted_shares_total")).contains("0");
        document.collect();
        assertThat(value(document.latest(), "submitted_shares_total")).contains("1");
    }

    @Test
    void aStuckCollectorLeavesTheEvidenceInPlace() throws Exception {
        CountDownLatch hung = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        MetricsDocument document = document(List.of(source(() -> {
            if (calls.incrementAndGet() > 1) {
                TestThreads.await(hung);
            }
        })));
        document.collect();
        CompletableFuture<Boolean> collecting = TestThreads.run("collector", document::collect);
        await().until(() -> calls.get() == 2);
        clock.advance(Duration.ofSeconds(20));

        RenderedMetrics answer = document.latest();

        assertThat(TestThreads.fastest(document::latest)).isLessThan(Duration.ofMillis(50));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers())
                .containsEntry("X-Prism-Metrics-State", "stale")
                .containsEntry("Age", "20")
                .containsEntry(
                        "Warning", "110 qbit-prism \"metrics snapshot is stale; serving last complete payload\"");
        assertThat(value(answer, "metrics_snapshot_stale")).contains("1");
        hung.countDown();
        assertThat(TestThreads.result(collecting)).isTrue();
    }

    @Test
    void anAgeOfThreePeriodsIsStillFresh() throws Exception {
        MetricsDocument document = document(List.of());
        document.collect();
        clock.advance(Duration.ofSeconds(15));
        assertThat(document.latest().state()).isEqualTo(RenderedMetrics.State.FRESH);

        clock.advance(Duration.ofNanos(1));
        assertThat(document.latest().state()).isEqualTo(RenderedMetrics.State.STALE);
    }

    @Test
    void aRendererThatThrowsTwiceAndThenWorksKeepsTheLastDocumentUntilThen() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        MetricsDocument document = new MetricsDocument(families, List.of(), PERIOD, clock, () -> {
            int call = calls.incrementAndGet();
            if (call == 2 || call == 3) {
                throw new IllegalStateException("renderer");
            }
            return "# document " + call + "\n";
        });
        document.collect();

        assertThat(document.collect()).isFalse();
        assertThat(document.collect()).isFalse();
        assertThat(document.latest().body()).startsWith("# document 1\n");
        assertThat(freshness(document, "metrics_collection_failures_total{class=\"exception\"}"))
                .contains("2");
        assertThat(freshness(document, "metrics_snapshot_generation")).contains("1");

        assertThat(document.collect()).isTrue();
        assertThat(document.latest().body()).startsWith("# document 4\n");
        assertThat(freshness(document, "metrics_snapshot_generation")).contains("2");
    }

    @Test
    void anEmptyOrUnfinishedDocumentIsInvalid() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        List<String> texts = List.of("", "no newline");
        MetricsDocument document =
                new MetricsDocument(families, List.of(), PERIOD, clock, () -> texts.get(calls.getAndIncrement()));

        assertThat(document.collect()).isFalse();
        assertThat(document.collect()).isFalse();

        assertThat(freshness(document, "metrics_collection_failures_total{class=\"invalid_payload\"}"))
                .contains("2");
        assertThat(document.latest().status()).isEqualTo(503);
    }

    @Test
    void aSourceThatFailsLeavesTheRestOfTheDocumentAlone() throws Exception {
        GaugeSeries rows = families.gauge("persisted_blocks");
        AtomicInteger calls = new AtomicInteger();
        MetricSource ledger = new MetricSource() {
            @Override
            public String owner() {
                return "ledger";
            }

            @Override
            public void collect() {
                if (calls.incrementAndGet() == 2) {
                    throw new IllegalStateException("database is gone");
                }
                rows.set(12);
            }
        };
        MetricSource node = new MetricSource() {
            @Override
            public String owner() {
                return "node";
            }

            @Override
            public void collect() throws Exception {
                throw new java.io.IOException("node is gone");
            }

            @Override
            public void unreadable() {
                families.gauge("qbitd_peers").set(-1);
            }
        };
        MetricsDocument document = document(List.of(ledger, node));
        document.collect();
        rows.set(12);

        assertThat(document.collect()).isTrue();

        assertThat(value(document.latest(), "persisted_blocks")).contains("12");
        assertThat(value(document.latest(), "qbitd_peers")).contains("-1");
    }

    @Test
    void anOwnerThatIsDownIsLoggedOnceAndOnceMoreWhenItIsUp() throws Exception {
        RecordingLogger lines = new RecordingLogger();
        AtomicInteger calls = new AtomicInteger();
        MetricsDocument document = new MetricsDocument(
                families,
                List.of(source(() -> {
                    if (calls.incrementAndGet() <= 3) {
                        throw new UncheckedIOException(new IOException("node is gone"));
                    }
                })),
                PERIOD,
                clock,
                () -> "x 1\n",
                lines);

        for (int i = 0; i < 6; i++) {
            document.collect();
        }

        assertThat(lines.lines())
                .extracting(RecordingLogger.Line::level, RecordingLogger.Line::withStackTrace)
                .containsExactly(tuple(Level.WARN, false), tuple(Level.INFO, false));
        assertThat(lines.lines().get(0).text()).contains("owner=test", "node is gone");
    }

    @Test
    void theCollectorRunsAsAServiceAndSaysSo() {
        StopLatch stop = new StopLatch();
        ServiceRegistry registry =
                new ServiceRegistry(stop, new Heartbeats(clock), ServiceObserver.none(), Duration.ofMillis(250));
        MetricsDocument document = document(List.of());
        registry.register(document.service("prism-metrics-snapshot-refresher"));

        ServiceHandle handle = registry.start("metrics_snapshot_refresher");

        await().until(() -> document.latest().status() == 200);
        assertThat(value(document.latest(), "metrics_collector_running")).contains("1");
        stop.raise();
        await().until(() -> !handle.running());
        assertThat(value(document.latest(), "metrics_collector_running")).contains("0");
    }

    @Test
    void aCatalogueWithoutFreshnessFamiliesIsServedWithoutThem() throws Exception {
        MetricFamilies own = new MetricFamilies(
                MetricCatalogue.of("demo_", List.of(MetricFamily.of("x_total", MetricType.COUNTER, "X"))));
        MetricsDocument document = new MetricsDocument(own, List.of(), PERIOD, clock);

        document.collect();

        assertThat(document.latest().body())
                .isEqualTo("# HELP demo_x_total X\n# TYPE demo_x_total counter\ndemo_x_total 0\n");
    }

    private MetricsDocument document(List<MetricSource> sources) {
        return new MetricsDocument(families, sources, PERIOD, clock);
    }

    private static MetricSource source(Runnable collect) {
        return new MetricSource() {
            @Override
            public String owner() {
                return "test";
            }

            @Override
            public void collect() {
                collect.run();
            }
        };
    }

    private static Optional<String> value(RenderedMetrics answer, String series) {
        return new ParsedExposition(answer.body()).value("qbit_prism_" + series);
    }

    /** Of an answer whose document is not in the text format. */
    private static Optional<String> freshness(MetricsDocument document, String series) {
        return document.latest()
                .body()
                .lines()
                .filter(line -> line.startsWith("qbit_prism_" + series + " "))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .findFirst();
    }
}
