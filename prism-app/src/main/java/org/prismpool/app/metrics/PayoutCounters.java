package org.prismpool.app.metrics;

import org.prismpool.lifecycle.metrics.BucketHistogram;
import org.prismpool.lifecycle.metrics.CounterSeries;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.payout.state.PayoutStateMetrics;

/**
 * Counts the payout state and its prepared windows. A publication that waited in vain for deliveries is a timeout of the
 * refresh that asked for it and counted there.
 */
public final class PayoutCounters implements PayoutStateMetrics {

    private final MetricFamilies families;
    private final ByLabel<Relation, BucketHistogram> gateWaits;
    private final ByLabel<ArtifactEvent, CounterSeries> artifacts;

    PayoutCounters(MetricFamilies families) {
        this.families = families;
        this.gateWaits =
                ByLabel.of(Relation.class, r -> families.histogram("payout_gate_wait_seconds", ByLabel.lower(r)));
        this.artifacts = ByLabel.of(
                ArtifactEvent.class, e -> families.counter("payout_artifact_events_total", ByLabel.lower(e)));
    }

    @Override
    public void gateWait(Relation relation, long nanos) {
        gateWaits.get(relation).observeNanos(nanos);
    }

    @Override
    public void preparation(long nanos) {
        families.histogram("payout_preparation_seconds").observeNanos(nanos);
        families.counter("job_build_phase_seconds_total", "payout_artifact").add(Seconds.of(nanos));
    }

    @Override
    public void publish(long nanos) {
        families.histogram("payout_publish_seconds").observeNanos(nanos);
    }

    @Override
    public void invalidationToFirstDelivery(long nanos) {
        families.histogram("payout_invalidation_first_delivery_seconds").observeNanos(nanos);
    }

    @Override
    public void candidateDiscarded() {
        families.counter("payout_candidates_discarded_total").increment();
    }

    @Override
    public void previewWaitTimeout() {
        families.counter("accepted_parent_preview_wait_timeouts_total").increment();
    }

    @Override
    public void artifact(ArtifactEvent event) {
        artifacts.get(event).increment();
    }
}
