package org.prismpool.app.metrics;

import org.prismpool.lifecycle.metrics.CounterSeries;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.sharewriter.ShareWriterMetrics;

/** Counts what the share writer commits. All accepted shares of the ledger are a reading of {@link PoolGauges}. */
public final class ShareCounters implements ShareWriterMetrics {

    private final CounterSeries graceCredited;
    private final CounterSeries appendFailures;
    private final CounterSeries reconcileFailures;
    private final CounterSeries replayed;
    private final CounterSeries replayConflicts;

    ShareCounters(MetricFamilies families) {
        this.graceCredited = families.counter("grace_credited_shares_total");
        this.appendFailures = families.counter("share_append_failures_total");
        this.reconcileFailures = families.counter("accepted_stats_reconcile_failures_total");
        this.replayed = families.counter("shares_replayed_total");
        this.replayConflicts = families.counter("share_replay_conflicts_total");
    }

    @Override
    public void committed(int entries, int fresh, int graceShares, long commitNanos) {
        graceCredited.add((long) graceShares);
    }

    @Override
    public void appendFailures(int entries) {
        appendFailures.add((long) entries);
    }

    /**
     * Counts what the replay of a recovery journal did.
     *
     * @param shares shares that became durable by it
     * @param conflicts shares that contradict the ledger
     */
    public void replayed(int shares, int conflicts) {
        replayed.add((long) shares);
        replayConflicts.add((long) conflicts);
    }

    /**
     * Counts the failures of the pass that compares the maintained totals with the ledger.
     *
     * @param pass the pass
     * @return the pass, counted; throws what the pass throws
     */
    public Runnable counted(Runnable pass) {
        return () -> {
            try {
                pass.run();
            } catch (RuntimeException failed) {
                reconcileFailures.increment();
                throw failed;
            }
        };
    }
}
