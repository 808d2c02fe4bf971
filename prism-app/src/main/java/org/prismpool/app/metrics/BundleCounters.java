package org.prismpool.app.metrics;

import org.prismpool.bundle.BuildPhase;
import org.prismpool.bundle.BundleMetrics;
import org.prismpool.lifecycle.metrics.BucketHistogram;
import org.prismpool.lifecycle.metrics.CounterSeries;
import org.prismpool.lifecycle.metrics.MetricFamilies;

/** Counts builds of shared work (spec 07 appendix A). */
public final class BundleCounters implements BundleMetrics {

    private final MetricFamilies families;
    private final ByLabel<Priority, CounterSeries> priorities;
    private final ByLabel<Initial, CounterSeries> initials;
    private final ByLabel<BuildPhase, BucketHistogram> phases;
    private final ByLabel<BuildPhase, CounterSeries> phaseSeconds;

    BundleCounters(MetricFamilies families) {
        this.families = families;
        this.priorities =
                ByLabel.of(Priority.class, p -> families.counter("job_build_priority_events_total", ByLabel.lower(p)));
        this.initials =
                ByLabel.of(Initial.class, i -> families.counter("initial_job_prepared_work_total", ByLabel.lower(i)));
        this.phases = ByLabel.of(
                BuildPhase.class, p -> families.histogram("tip_refresh_bundle_phase_seconds", ByLabel.lower(p)));
        this.phaseSeconds = ByLabel.of(
                BuildPhase.class, p -> families.counter("job_build_phase_seconds_total", phaseOfJobBuild(p)));
    }

    private static String phaseOfJobBuild(BuildPhase phase) {
        return switch (phase) {
            case LEDGER_SNAPSHOT -> "ledger";
            case PAYOUT_STATE_DERIVATION -> "payout";
            case CTV_MANIFEST_CONSTRUCTION -> "ctv";
            case COINBASE_BUNDLE_CONSTRUCTION, SIGNING_VERIFICATION -> "assembly";
            case SERIALIZATION_COPY -> "output_serialization";
            case SINGLEFLIGHT_WAIT -> "preparation_wait";
        };
    }

    @Override
    public void build(Build event) {
        switch (event) {
            case REQUESTS -> families.counter("job_build_requests_total").increment();
            case JOINS ->
                families.counter("tip_refresh_bundle_singleflight_hits_total").increment();
            case STARTS -> count("job_build_starts_total", "started");
            case COMPLETIONS -> count("job_build_completions_total", "completed");
            case SUPERSESSIONS -> count("job_build_supersessions_total", "superseded");
            case OBSOLETE_RESULTS -> {
                families.counter("job_build_obsolete_results_total").increment();
                families.counter("tip_refresh_bundle_superseded_results_total").increment();
            }
            case ORPHANS_EVICTED ->
                families.counter("job_build_orphan_evicted_total").increment();
            case FAILURES ->
                families.counter("shared_bundle_builds_total", "failed").increment();
        }
    }

    private void count(String family, String result) {
        families.counter(family).increment();
        families.counter("shared_bundle_builds_total", result).increment();
    }

    @Override
    public void priority(Priority event) {
        priorities.get(event).increment();
    }

    @Override
    public void initial(Initial event) {
        initials.get(event).increment();
    }

    @Override
    public void cache(boolean hit) {
        families.counter(hit ? "job_cache_hits_total" : "job_cache_misses_total", "bundle")
                .increment();
    }

    @Override
    public void phase(BuildPhase phase, long nanos) {
        phases.get(phase).observeNanos(nanos);
        phaseSeconds.get(phase).add(Seconds.of(nanos));
    }

    @Override
    public void buildSeconds(long nanos) {
        families.summary("shared_bundle_preparation_seconds").observeNanos(nanos);
        families.counter("job_build_phase_seconds_total", "bundle").add(Seconds.of(nanos));
    }

    @Override
    public void cancellation(long nanos) {
        families.summary("job_build_cancellation_seconds").observeNanos(nanos);
    }

    @Override
    public void replacementStart(long nanos) {
        families.summary("job_build_replacement_start_seconds").observeNanos(nanos);
    }

    @Override
    public void priorityAdmission(long nanos) {
        families.summary("job_build_priority_admission_seconds").observeNanos(nanos);
    }
}
