package org.prismpool.app.metrics;

import org.prismpool.bundle.compile.HelperEvents;
import org.prismpool.bundle.compile.ShadowCompiler;
import org.prismpool.lifecycle.metrics.CounterSeries;
import org.prismpool.lifecycle.metrics.MetricFamilies;

/** Counts helper processes and shadow compiles (spec 07 appendix A, 08 §6.5); all zero while the compiler is in-process. */
public final class BundleHelperCounters implements HelperEvents {

    private final CounterSeries starts;
    private final CounterSeries terminations;
    private final CounterSeries crashes;
    private final CounterSeries eventRestarts;
    private final CounterSeries failures;
    private final CounterSeries restarts;
    private final CounterSeries input;
    private final CounterSeries output;
    private final ByLabel<Step, CounterSeries> seconds;
    private final ByLabel<ShadowCompiler.Comparison, CounterSeries> comparisons;

    BundleHelperCounters(MetricFamilies families) {
        this.starts = families.counter("job_build_worker_events_total", "starts");
        this.terminations = families.counter("job_build_worker_events_total", "terminations");
        this.crashes = families.counter("job_build_worker_events_total", "crashes");
        this.eventRestarts = families.counter("job_build_worker_events_total", "restarts");
        this.failures = families.counter("tip_refresh_builder_worker_failures_total");
        this.restarts = families.counter("tip_refresh_builder_worker_restarts_total");
        this.input = families.counter("tip_refresh_builder_ipc_bytes_total", "input");
        this.output = families.counter("tip_refresh_builder_ipc_bytes_total", "output");
        this.seconds = ByLabel.of(
                Step.class,
                step -> families.counter(
                        "job_build_phase_seconds_total", step == Step.PAYLOAD ? "input_serialization" : "worker"));
        this.comparisons = ByLabel.of(
                ShadowCompiler.Comparison.class,
                c -> families.counter("bundle_compiler_shadow_total", ByLabel.lower(c)));
    }

    @Override
    public void count(Kind kind) {
        switch (kind) {
            case STARTS -> starts.increment();
            case TERMINATIONS -> terminations.increment();
            case CRASHES -> crashes.increment();
            case FAILURES -> failures.increment();
            case RESTARTS -> {
                eventRestarts.increment();
                restarts.increment();
            }
        }
    }

    @Override
    public void took(Step step, long nanos) {
        seconds.get(step).add(Seconds.of(nanos));
    }

    @Override
    public void bytes(long written, long read) {
        input.add(written);
        output.add(read);
    }

    /**
     * Counts a comparison of two compilers.
     *
     * @param ended how it ended
     */
    public void compared(ShadowCompiler.Comparison ended) {
        comparisons.get(ended).increment();
    }
}
