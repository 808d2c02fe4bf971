package org.prismpool.app.metrics;

import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.templates.block.AbandonReason;
import org.prismpool.templates.block.CandidateMetrics;

/** Counts found blocks on their way (spec 03 §9). An abandoned block is no share rejection, so none is counted. */
public final class CandidateCounters implements CandidateMetrics {

    private final MetricFamilies families;

    CandidateCounters(MetricFamilies families) {
        this.families = families;
    }

    @Override
    public void offerAnswered(long nanos) {
        families.histogram("block_submit_seconds").observeNanos(nanos);
    }

    @Override
    public void retried() {
        families.counter("block_candidate_retries_total").increment();
    }

    @Override
    public void wakeupCoalesced() {
        families.counter("block_candidate_wakeups_coalesced_total").increment();
    }

    @Override
    public void acceptPendingDeferred() {
        families.counter("block_candidate_accept_pending_defers_total").increment();
    }

    @Override
    public void poisoned() {
        families.counter("block_candidate_poisoned_total").increment();
    }

    @Override
    public void abandoned(AbandonReason reason) {
        families.counter("block_candidates_abandoned_total", reason.id()).increment();
        reason.staleClass()
                .ifPresent(cause ->
                        families.counter("stale_job_abandons_total", cause).increment());
    }
}
