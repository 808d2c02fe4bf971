package org.prismpool.app.metrics;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.sharewriter.LedgerMetrics;

/** Counts what a ledger in a database measures; a ledger in memory measures nothing. */
public final class LedgerCounters implements LedgerMetrics {

    private final MetricFamilies families;
    private final ByLabel<CallClass, BlockCalls> calls;
    private final AtomicLong longestReadNanos = new AtomicLong();

    LedgerCounters(MetricFamilies families) {
        this.families = families;
        this.calls = ByLabel.of(CallClass.class, c -> new BlockCalls(families, c.label()));
    }

    @Override
    public void blockCall(CallClass callClass, Duration budget, Duration took, boolean timedOut) {
        calls.get(callClass).ended(budget.toNanos(), took.toNanos(), timedOut);
    }

    @Override
    public void priorBalancesRead(Duration took) {
        long longest = longestReadNanos.accumulateAndGet(took.toNanos(), Math::max);
        families.counter("prior_balances_reads_total").increment();
        families.gauge("prior_balances_read_last_seconds").set(Seconds.of(took));
        families.gauge("prior_balances_read_max_seconds").set(Seconds.of(longest));
    }
}
