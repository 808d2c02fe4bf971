package org.prismpool.app.metrics;

import org.prismpool.delivery.DeliveryMetrics;
import org.prismpool.lifecycle.metrics.CounterSeries;
import org.prismpool.lifecycle.metrics.MetricFamilies;

/** Counts deliveries of jobs (spec 07 appendix A). */
public final class DeliveryCounters implements DeliveryMetrics {

    private final MetricFamilies families;
    private final ByLabel<FirstJobResult, CounterSeries> firstJobs;

    DeliveryCounters(MetricFamilies families) {
        this.families = families;
        this.firstJobs =
                ByLabel.of(FirstJobResult.class, r -> families.counter("initial_job_requests_total", ByLabel.lower(r)));
    }

    @Override
    public void firstJob(FirstJobResult result) {
        firstJobs.get(result).increment();
        if (result == FirstJobResult.CANCELLED || result == FirstJobResult.COALESCED) {
            families.counter("stratum_initial_job_tasks_total", ByLabel.lower(result))
                    .increment();
        }
    }

    @Override
    public void firstJobDelivered(long nanos) {
        families.summary("initial_job_delivery_seconds").observeNanos(nanos);
    }

    @Override
    public void firstJobRejected() {
        families.counter("stratum_initial_job_queue_rejections_total").increment();
    }

    @Override
    public void firstJobTimedOut() {
        families.counter("stratum_initial_job_timeouts_total").increment();
    }

    @Override
    public void queueCapacityReclaimed() {
        families.counter("stratum_initial_job_queue_capacity_reclaimed_total").increment();
        families.counter("initial_job_queue_capacity_reclaimed_total").increment();
    }

    @Override
    public void cancelled(Stage stage) {
        switch (stage) {
            case EXECUTOR_QUEUE, CLIENT_LOCK, PAYOUT_GATE ->
                families.counter("tip_refresh_cancellations_total", ByLabel.lower(stage))
                        .increment();
            case STAMP, SOCKET_SEND -> {
                // beyond the gate a delivery is not stopped any more
            }
        }
    }

    @Override
    public void keptAlive() {
        families.counter("job_keepalives_total").increment();
    }

    // The same failures reach the session, which reports them as well; they are counted here only.
    @Override
    public void buildFailed() {
        families.counter("job_build_failures_total").increment();
    }

    @Override
    public void delivery(long nanos) {
        families.histogram("job_build_seconds").observeNanos(nanos);
    }

    @Override
    public void stage(Stage stage, long nanos) {
        families.counter("job_build_phase_seconds_total", ByLabel.lower(stage)).add(Seconds.of(nanos));
    }

    @Override
    public void retainedExpired(boolean sameTip) {
        families.counter("evicted_job_expirations_total", sameTip ? "same_tip" : "stale_grace")
                .increment();
    }

    @Override
    public void retainedEvicted(boolean disconnected) {
        families.counter("evicted_job_capacity_evictions_total", disconnected ? "disconnected" : "connection")
                .increment();
    }

    @Override
    public void coverage(int percent, long nanos) {
        families.histogram("tip_refresh_hashrate_coverage_seconds", Integer.toString(percent))
                .observeNanos(nanos);
    }
}
