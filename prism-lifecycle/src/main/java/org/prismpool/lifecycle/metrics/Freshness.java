package org.prismpool.lifecycle.metrics;

import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/** The families that tell how fresh the document is; a catalogue without them simply does not render them. */
final class Freshness {

    private final MetricFamilies families;
    private final AtomicLong generation = new AtomicLong();
    private volatile boolean running;

    Freshness(MetricFamilies families, Supplier<Optional<Double>> ageSeconds, BooleanSupplier stale) {
        this.families = families;
        gauge("metrics_snapshot_available", () -> ageSeconds.get().isPresent() ? 1 : 0);
        gauge("metrics_snapshot_stale", () -> stale.getAsBoolean() ? 1 : 0);
        gauge("metrics_snapshot_age_seconds", () -> ageSeconds.get().orElse(-1.0));
        gauge("metrics_collector_running", () -> running ? 1 : 0);
        gauge("metrics_snapshot_generation", generation::doubleValue);
    }

    void running(boolean now) {
        running = now;
    }

    void succeeded() {
        generation.incrementAndGet();
        if (declared("metrics_collection_successes_total")) {
            families.counter("metrics_collection_successes_total").increment();
        }
    }

    void failed(Failure failure) {
        if (declared("metrics_collection_failures_total")) {
            families.counter("metrics_collection_failures_total", failure.label())
                    .increment();
        }
    }

    private void gauge(String name, DoubleSupplier reading) {
        if (declared(name)) {
            families.gauge(name).readFrom(reading);
        }
    }

    private boolean declared(String name) {
        return families.catalogue().family(name).isPresent();
    }

    /** Classes of failed collections. */
    enum Failure {
        EXCEPTION,
        INVALID_PAYLOAD;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
