package org.prismpool.lifecycle.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.MetricRegistry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ExpositionTest {

    private static final MetricCatalogue CATALOGUE = MetricCatalogue.of(
            "demo_",
            List.of(
                    MetricFamily.of("events_total", MetricType.COUNTER, "Events.\nAll \\ of them"),
                    MetricFamily.of("busy_seconds_total", MetricType.COUNTER, "Busy"),
                    MetricFamily.of("load", MetricType.GAUGE, "Load", new MetricLabel("name", List.of())),
                    MetricFamily.of("wait_seconds", MetricType.SUMMARY, "Wait"),
                    MetricFamily.histogram(
                            "size_rows",
                            "Rows",
                            List.of("0.5", "1", "10"),
                            new MetricLabel("kind", List.of("small", "large")))));

    private final MetricRegistry registry = new MetricRegistry();
    private final MetricFamilies families = new MetricFamilies(CATALOGUE, registry);

    @Test
    void aDocumentIsWrittenInTheTextFormat() {
        families.counter("events_total").increment();
        families.counter("events_total").add(41);
        families.counter("busy_seconds_total").add(0.1);
        families.counter("busy_seconds_total").add(0.2);
        families.gauge("load", "b").set(0.25);
        families.gauge("load", "a").set(true);
        families.summary("wait_seconds").observeNanos(1_500_000_000L);
        families.histogram("size_rows", "small").observe(1);
        families.histogram("size_rows", "small").observe(1.5);
        families.histogram("size_rows", "small").observe(11);

        assertThat(new Exposition(families).render(FamilyOrigin.ADDED)).isEqualTo("""
                        # HELP demo_events_total Events.\\nAll \\\\ of them
                        # TYPE demo_events_total counter
                        demo_events_total 42
                        # HELP demo_busy_seconds_total Busy
                        # TYPE demo_busy_seconds_total counter
                        demo_busy_seconds_total 0.3
                        # HELP demo_load Load
                        # TYPE demo_load gauge
                        demo_load{name="a"} 1
                        demo_load{name="b"} 0.25
                        # HELP demo_wait_seconds Wait
                        # TYPE demo_wait_seconds summary
                        demo_wait_seconds_sum 1.500000
                        demo_wait_seconds_count 1
                        # HELP demo_size_rows Rows
                        # TYPE demo_size_rows histogram
                        demo_size_rows_bucket{kind="small",le="0.5"} 0
                        demo_size_rows_bucket{kind="small",le="1"} 1
                        demo_size_rows_bucket{kind="small",le="10"} 2
                        demo_size_rows_bucket{kind="small",le="+Inf"} 3
                        demo_size_rows_sum{kind="small"} 13.500000
                        demo_size_rows_count{kind="small"} 3
                        demo_size_rows_bucket{kind="large",le="0.5"} 0
                        demo_size_rows_bucket{kind="large",le="1"} 0
                        demo_size_rows_bucket{kind="large",le="10"} 0
                        demo_size_rows_bucket{kind="large",le="+Inf"} 0
                        demo_size_rows_sum{kind="large"} 0.000000
                        demo_size_rows_count{kind="large"} 0
                        """);
    }

    @Test
    void labelValuesAreEscapedAsInTheContractsExample() {
        families.gauge("load", "a\"b\\c\nd\r").set(1);

        assertThat(new Exposition(families).render(FamilyOrigin.ADDED))
                .contains("demo_load{name=\"a\\\"b\\\\c\\nd\\r\"} 1\n");
    }

    @Test
    void theRegistryKeyIsTheSeries() {
        families.gauge("load", "a\"b").set(1);

        assertThat(registry.getNames())
                .contains("demo_events_total", "demo_load{name=\"a\\\"b\"}", "demo_size_rows{kind=\"small\"}");
        assertThat(values()).containsEntry("demo_load{name=\"a\\\"b\"}", 1.0).containsEntry("demo_events_total", 0.0);
        assertThat(families.registry()).isSameAs(registry);
    }

    @Test
    void askingTwiceGivesTheSameSeries() {
        assertThat(families.counter("events_total")).isSameAs(families.counter("events_total"));
        assertThat(families.gauge("load", "x")).isSameAs(families.gauge("load", "x"));
    }

    @Test
    void whatIsNotDeclaredIsRefused() {
        assertThatThrownBy(() -> families.counter("unknown")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> families.gauge("events_total")).hasMessageContaining("is a counter");
        assertThatThrownBy(() -> families.histogram("size_rows", "huge")).hasMessageContaining("cannot be huge");
        assertThatThrownBy(() -> families.histogram("size_rows")).hasMessageContaining("1 labels");
        assertThatThrownBy(() -> MetricCatalogue.of(
                        "x_",
                        List.of(
                                CATALOGUE.families().get(0),
                                CATALOGUE.families().get(0))))
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> MetricFamily.of("Bad Name", MetricType.GAUGE, ""))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MetricFamily.of("no_buckets", MetricType.HISTOGRAM, ""))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MetricFamily.histogram("falling", "", List.of("2", "1")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anOpenLabelCanBeClosedWhenTheProgramIsComposed() {
        MetricFamilies closed =
                new MetricFamilies(CATALOGUE.withValues("load", "name", List.of("stratum", "highdiff")));

        assertThat(new Exposition(closed).render(FamilyOrigin.ADDED))
                .contains("demo_load{name=\"stratum\"} 0\ndemo_load{name=\"highdiff\"} 0\n");
        assertThatThrownBy(() -> closed.gauge("load", "other")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void numbersAreWholeOrHaveTwelveDigits() {
        assertThat(Exposition.number(0)).isEqualTo("0");
        assertThat(Exposition.number(-1)).isEqualTo("-1");
        assertThat(Exposition.number(9_007_199_254_740_992d)).isEqualTo("9007199254740992");
        assertThat(Exposition.number(2.0 / 3)).isEqualTo("0.666666666667");
        assertThat(Exposition.number(1e-7)).isEqualTo("0.0000001");
        assertThat(Exposition.number(1e20)).isEqualTo("100000000000000000000");
        assertThat(Exposition.number(Double.NaN)).isEqualTo("NaN");
        assertThat(Exposition.number(Double.NEGATIVE_INFINITY)).isEqualTo("-Inf");
    }

    @Test
    void aCounterThatCannotBeReadKeepsItsLastValueAndAGaugeSaysSo() {
        boolean[] broken = new boolean[1];
        families.counter("events_total").readFrom(() -> {
            if (broken[0]) {
                throw new IllegalStateException("owner is gone");
            }
            return 7;
        });
        families.gauge("load", "a").readFrom(() -> {
            if (broken[0]) {
                throw new IllegalStateException("owner is gone");
            }
            return 7;
        });
        assertThat(families.counter("events_total").value()).isEqualTo(7);

        broken[0] = true;

        assertThat(families.counter("events_total").value()).isEqualTo(7);
        assertThat(families.gauge("load", "a").value()).isEqualTo(-1);
    }

    @Test
    void extremesStartAtZeroAndFollowTheObservations() {
        SummarySeries summary = families.summary("wait_seconds");
        assertThat(summary.reading()).isEqualTo(new SummarySeries.Reading(0, 0, 0, 0));

        summary.observe(3);
        summary.observe(2);

        assertThat(summary.reading()).isEqualTo(new SummarySeries.Reading(5, 2, 3, 2));
    }

    private Map<String, Object> values() {
        Map<String, Object> values = new TreeMap<>();
        registry.getGauges().forEach((name, gauge) -> values.put(name, gauge.getValue()));
        return values;
    }
}
