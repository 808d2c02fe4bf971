package org.prismpool.lifecycle.metrics;

import com.codahale.metrics.Metric;
import com.codahale.metrics.MetricRegistry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/**
 * The series of every declared family, over a Dropwizard registry whose keys are the series as they are rendered.
 *
 * <p>Thread-safe. Every series of a family with closed labels exists from the start, so it is rendered from zero before
 * anyone counts. Asking for the same series twice gives the same object; keep it where that matters for speed.
 */
public final class MetricFamilies {

    private final MetricCatalogue catalogue;
    private final MetricRegistry registry;
    private final Map<String, ConcurrentMap<List<String>, Metric>> series = new LinkedHashMap<>();

    /**
     * Creates the series of a catalogue in a registry of their own.
     *
     * @param catalogue declarations
     */
    public MetricFamilies(MetricCatalogue catalogue) {
        this(catalogue, new MetricRegistry());
    }

    /**
     * Creates the series of a catalogue.
     *
     * @param catalogue declarations
     * @param registry where the series are registered
     */
    public MetricFamilies(MetricCatalogue catalogue, MetricRegistry registry) {
        this.catalogue = Objects.requireNonNull(catalogue, "catalogue");
        this.registry = Objects.requireNonNull(registry, "registry");
        for (MetricFamily family : catalogue.families()) {
            series.put(family.name(), new ConcurrentHashMap<>());
            if (family.closed()) {
                combinations(family.labels()).forEach(values -> series(family, values));
            }
        }
    }

    /**
     * Returns a series of a counter.
     *
     * @param family name without the prefix
     * @param labelValues one value per label, in the declared order
     * @return the series
     * @throws IllegalArgumentException if the family is not a declared counter or a value is not declared
     */
    public CounterSeries counter(String family, String... labelValues) {
        return (RegisteredCounter) series(require(family, MetricType.COUNTER), List.of(labelValues));
    }

    /**
     * Returns a series of a gauge.
     *
     * @param family name without the prefix
     * @param labelValues one value per label, in the declared order
     * @return the series
     * @throws IllegalArgumentException if the family is not a declared gauge or a value is not declared
     */
    public GaugeSeries gauge(String family, String... labelValues) {
        return (RegisteredGauge) series(require(family, MetricType.GAUGE), List.of(labelValues));
    }

    /**
     * Returns a series of a histogram.
     *
     * @param family name without the prefix
     * @param labelValues one value per label, in the declared order
     * @return the series
     * @throws IllegalArgumentException if the family is not a declared histogram or a value is not declared
     */
    public BucketHistogram histogram(String family, String... labelValues) {
        return (BucketHistogram) series(require(family, MetricType.HISTOGRAM), List.of(labelValues));
    }

    /**
     * Returns a series of a summary.
     *
     * @param family name without the prefix
     * @param labelValues one value per label, in the declared order
     * @return the series
     * @throws IllegalArgumentException if the family is not a declared summary or a value is not declared
     */
    public SummarySeries summary(String family, String... labelValues) {
        return (SummarySeries) series(require(family, MetricType.SUMMARY), List.of(labelValues));
    }

    /**
     * Returns the declarations.
     *
     * @return the catalogue given at creation
     */
    public MetricCatalogue catalogue() {
        return catalogue;
    }

    /**
     * Returns the registry, for reporters of the embedding program.
     *
     * @return the registry given at creation
     */
    public MetricRegistry registry() {
        return registry;
    }

    /** The series of a family by label values, in no order. */
    Map<List<String>, Metric> seriesOf(MetricFamily family) {
        return series.getOrDefault(family.name(), new ConcurrentHashMap<>());
    }

    static List<List<String>> combinations(List<MetricLabel> labels) {
        List<List<String>> combinations = List.of(List.of());
        for (MetricLabel label : labels) {
            List<List<String>> longer = new ArrayList<>();
            for (List<String> start : combinations) {
                for (String value : label.values()) {
                    List<String> next = new ArrayList<>(start);
                    next.add(value);
                    longer.add(List.copyOf(next));
                }
            }
            combinations = longer;
        }
        return combinations;
    }

    private MetricFamily require(String name, MetricType type) {
        MetricFamily family = catalogue.require(name);
        if (family.type() != type) {
            throw new IllegalArgumentException(name + " is a " + family.type().text() + ", not a " + type.text());
        }
        return family;
    }

    private Metric series(MetricFamily family, List<String> values) {
        ConcurrentMap<List<String>, Metric> known =
                series.computeIfAbsent(family.name(), name -> new ConcurrentHashMap<>());
        Metric present = known.get(values);
        if (present != null) {
            return present;
        }
        checkValues(family, values);
        return known.computeIfAbsent(values, v -> register(family, v));
    }

    private Metric register(MetricFamily family, List<String> values) {
        Supplier<Metric> maker = switch (family.type()) {
            case COUNTER -> RegisteredCounter::new;
            case GAUGE -> RegisteredGauge::new;
            case HISTOGRAM -> () -> new BucketHistogram(family.buckets());
            case SUMMARY -> SummarySeries::new;
        };
        return registry.register(catalogue.prefix() + family.name() + Exposition.labels(family, values), maker.get());
    }

    private static void checkValues(MetricFamily family, List<String> values) {
        if (values.size() != family.labels().size()) {
            throw new IllegalArgumentException(
                    family.name() + " has " + family.labels().size() + " labels, not " + values.size());
        }
        for (int i = 0; i < values.size(); i++) {
            MetricLabel label = family.labels().get(i);
            if (!label.open() && !label.values().contains(values.get(i))) {
                throw new IllegalArgumentException(
                        family.name() + ": label " + label.name() + " cannot be " + values.get(i));
            }
        }
    }
}
