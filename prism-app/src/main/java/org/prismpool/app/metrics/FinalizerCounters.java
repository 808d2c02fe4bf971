package org.prismpool.app.metrics;

import java.util.OptionalLong;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.lifecycle.metrics.SummarySeries;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.finalization.FinalizationPhase;
import org.prismpool.payout.finalization.FinalizerMetrics;

/** Counts block accounting. Called on the finalizer's thread only. */
public final class FinalizerCounters implements FinalizerMetrics {

    private static final int LARGEST_COINBASE = 2_000_000;

    private final MetricFamilies families;
    private final ByLabel<FinalizationPhase, SummarySeries> phases;
    private final ByLabel<CallClass, BlockCalls> calls;
    private final boolean ledgerMeasures;
    private final MonotonicClock clock;
    private OptionalLong lastStart = OptionalLong.empty();

    /** A ledger that measures its own calls sees those of the candidate lane too; then these are not counted again. */
    FinalizerCounters(MetricFamilies families, boolean ledgerMeasures, MonotonicClock clock) {
        this.families = families;
        this.phases = ByLabel.of(
                FinalizationPhase.class, p -> families.summary("block_finalization_phase_seconds", p.label()));
        this.calls = ByLabel.of(CallClass.class, c -> new BlockCalls(families, ByLabel.lower(c)));
        this.ledgerMeasures = ledgerMeasures;
        this.clock = clock;
        families.gauge("coinbase_weight_headroom_bytes").set(LARGEST_COINBASE);
    }

    @Override
    public void phase(FinalizationPhase phase, long nanos) {
        phases.get(phase).observeNanos(nanos);
        if (phase == FinalizationPhase.ADMISSION) {
            long start = clock.nanoTime() - nanos; // admission is the first phase
            lastStart.ifPresent(before ->
                    families.summary("block_candidate_interarrival_seconds").observeNanos(start - before));
            lastStart = OptionalLong.of(start);
        }
    }

    @Override
    public void ledgerCall(CallClass callClass, long budgetNanos, long nanos, boolean timedOut) {
        if (!ledgerMeasures) {
            calls.get(callClass).ended(budgetNanos, nanos, timedOut);
        }
    }

    /**
     * A block of the pool was accounted.
     *
     * @param coinbaseHex its coinbase
     */
    public void accounted(String coinbaseHex) {
        families.gauge("coinbase_weight_headroom_bytes").set(LARGEST_COINBASE - coinbaseHex.length() / 2);
    }
}
