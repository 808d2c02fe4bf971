package org.prismpool.app.metrics;

import java.util.OptionalLong;
import org.prismpool.lifecycle.metrics.BucketHistogram;
import org.prismpool.lifecycle.metrics.CounterSeries;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.refresh.FanoutReport;
import org.prismpool.refresh.RefreshMetrics;
import org.prismpool.refresh.RefreshPhase;
import org.prismpool.refresh.TimeoutLabel;
import org.prismpool.refresh.WaveOutcome;

/** Counts refreshes of the pool's work (spec 07 appendix A). */
public final class RefreshCounters implements RefreshMetrics {

    private final MetricFamilies families;
    private final ByLabel<RefreshPhase, BucketHistogram> phases;
    private final ByLabel<TimeoutLabel, CounterSeries> timeouts;
    private final ByLabel<GenerationOutcome, CounterSeries> generations;
    private final ByLabel<WaveOutcome, CounterSeries> waves;
    private final ByLabel<ReconcileSource, CounterSeries> lookups;

    RefreshCounters(MetricFamilies families) {
        this.families = families;
        this.phases = ByLabel.of(RefreshPhase.class, p -> families.histogram("blockpoll_phase_seconds", p.wireName()));
        this.timeouts = ByLabel.of(TimeoutLabel.class, t -> families.counter("blockpoll_timeouts_total", t.wireName()));
        this.generations = ByLabel.of(
                GenerationOutcome.class, g -> families.counter("blockpoll_generations_total", ByLabel.lower(g)));
        this.waves =
                ByLabel.of(WaveOutcome.class, w -> families.counter("tip_refresh_wave_outcomes_total", w.wireName()));
        this.lookups = ByLabel.of(
                ReconcileSource.class,
                s -> families.counter("reorg_reconcile_lookups_total", "tip_refresh", ByLabel.lower(s)));
    }

    @Override
    public void phase(RefreshPhase phase, long nanos) {
        phases.get(phase).observeNanos(nanos);
    }

    @Override
    public void timeout(TimeoutLabel label) {
        timeouts.get(label).increment();
    }

    @Override
    public void generation(GenerationOutcome outcome) {
        generations.get(outcome).increment();
    }

    @Override
    public void wave(WaveOutcome outcome, long nanos) {
        waves.get(outcome).increment();
        families.histogram("tip_refresh_seconds").observeNanos(nanos);
    }

    @Override
    public void bundleBuild(long nanos) {
        families.histogram("tip_refresh_bundle_build_seconds").observeNanos(nanos);
    }

    @Override
    public void reconcile(long nanos) {
        families.histogram("tip_refresh_bundle_phase_seconds", "reorg_reconcile")
                .observeNanos(nanos);
        families.counter("job_build_phase_seconds_total", "reorg").add(Seconds.of(nanos));
    }

    @Override
    public void reconcileLookup(ReconcileSource source) {
        lookups.get(source).increment();
    }

    @Override
    public void fanout(FanoutReport report, long attemptNanos) {
        families.counter("tip_refresh_jobs_total").add((long) report.sent());
        clients("sent", report.sent());
        clients("skipped", report.skipped());
        clients("disconnected", report.disconnected());
        clients("failed", report.failed());
        FanoutReport.Times times = report.times();
        OptionalLong last = times.lastDelivery();
        times.firstDelivery().ifPresent(at -> observe("tip_refresh_first_delivery_seconds", at - attemptNanos));
        last.ifPresent(at -> observe("tip_refresh_last_delivery_seconds", at - attemptNanos));
        if (last.isPresent()) {
            times.firstSubmission()
                    .ifPresent(from -> observe("tip_refresh_fanout_wave_seconds", last.getAsLong() - from));
        }
    }

    private void clients(String result, int count) {
        families.counter("tip_refresh_clients_total", result).add((long) count);
    }

    private void observe(String family, long nanos) {
        families.histogram(family).observeNanos(nanos);
    }

    @Override
    public void postAcceptFailure() {
        families.counter("post_accept_refresh_failures_total").increment();
    }
}
