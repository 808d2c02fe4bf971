package org.prismpool.bundle.internal;

import org.prismpool.bundle.BuildWatch;
import org.prismpool.bundle.BundleMetrics;

/** Translates the scheduler's counters into the metrics port. */
final class SchedulerMetrics implements SchedulerListener {

    private final BundleMetrics metrics;
    private final BuildWatch watch;

    SchedulerMetrics(BundleMetrics metrics, BuildWatch watch) {
        this.metrics = metrics;
        this.watch = watch;
    }

    @Override
    public void count(SchedulerCount counter) {
        switch (counter) {
            case REQUESTS -> metrics.build(BundleMetrics.Build.REQUESTS);
            case STARTS -> metrics.build(BundleMetrics.Build.STARTS);
            case SUPERSESSIONS -> metrics.build(BundleMetrics.Build.SUPERSESSIONS);
            case COMPLETIONS -> metrics.build(BundleMetrics.Build.COMPLETIONS);
            case OBSOLETE_RESULTS -> metrics.build(BundleMetrics.Build.OBSOLETE_RESULTS);
            case FAILURES -> metrics.build(BundleMetrics.Build.FAILURES);
            case ORPHANS_EVICTED -> metrics.build(BundleMetrics.Build.ORPHANS_EVICTED);
            case PRIORITY_STARTED -> metrics.priority(BundleMetrics.Priority.STARTED);
            case PRIORITY_COALESCED -> metrics.priority(BundleMetrics.Priority.COALESCED);
            case PRIORITY_QUEUED -> metrics.priority(BundleMetrics.Priority.QUEUED);
            case ROUTINE_DEFERRED -> metrics.priority(BundleMetrics.Priority.ROUTINE_DEFERRED);
            case ROUTINE_PREEMPTED -> metrics.priority(BundleMetrics.Priority.ROUTINE_PREEMPTED);
            case INITIAL_SINGLEFLIGHT -> metrics.initial(BundleMetrics.Initial.SINGLEFLIGHT);
            case INITIAL_DEFERRED -> metrics.initial(BundleMetrics.Initial.DEFERRED);
        }
    }

    @Override
    public void joined() {
        metrics.build(BundleMetrics.Build.JOINS);
    }

    @Override
    public void cancellation(long nanos) {
        metrics.cancellation(nanos);
    }

    @Override
    public void replacementStart(long nanos) {
        metrics.replacementStart(nanos);
    }

    @Override
    public BuildWatch.Running buildBegan() {
        return watch.began();
    }

    @Override
    public void buildEnded(long nanos) {
        metrics.buildSeconds(nanos);
    }
}
