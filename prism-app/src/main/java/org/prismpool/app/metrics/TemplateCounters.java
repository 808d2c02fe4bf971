package org.prismpool.app.metrics;

import org.prismpool.lifecycle.metrics.CounterSeries;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.templates.TemplateMetrics;

/** Counts the template cache: a hit spares a fetch, every fetch that the node answered is a miss. */
public final class TemplateCounters implements TemplateMetrics {

    private final CounterSeries hits;
    private final CounterSeries misses;
    private final CounterSeries seconds;

    TemplateCounters(MetricFamilies families) {
        this.hits = families.counter("job_cache_hits_total", "template");
        this.misses = families.counter("job_cache_misses_total", "template");
        this.seconds = families.counter("job_build_phase_seconds_total", "template");
    }

    // A template that was overtaken by a later one was reported as stored before: it is one fetch.
    @Override
    public void templateStored(long nanos, int transactions, boolean reused) {
        misses.increment();
        seconds.add(Seconds.of(nanos));
    }

    @Override
    public void templateReused() {
        hits.increment();
    }

    @Override
    public void templateSuperseded() {
        misses.increment();
    }

    @Override
    public void templateBlocked() {
        misses.increment();
    }
}
