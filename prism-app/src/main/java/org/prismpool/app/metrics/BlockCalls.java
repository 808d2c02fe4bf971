package org.prismpool.app.metrics;

import java.util.concurrent.atomic.AtomicLong;
import org.prismpool.lifecycle.metrics.CounterSeries;
import org.prismpool.lifecycle.metrics.GaugeSeries;
import org.prismpool.lifecycle.metrics.MetricFamilies;

/** The ledger calls of block work in one deadline class. Thread-safe. */
final class BlockCalls {

    private final CounterSeries calls;
    private final CounterSeries timeouts;
    private final GaugeSeries budget;
    private final GaugeSeries last;
    private final GaugeSeries longest;
    private final AtomicLong longestNanos = new AtomicLong();

    BlockCalls(MetricFamilies families, String callClass) {
        this.calls = families.counter("block_ledger_calls_total", callClass);
        this.timeouts = families.counter("block_ledger_call_timeouts_total", callClass);
        this.budget = families.gauge("block_ledger_call_budget_seconds", callClass);
        this.last = families.gauge("block_ledger_call_last_duration_seconds", callClass);
        this.longest = families.gauge("block_ledger_call_max_duration_seconds", callClass);
    }

    void ended(long budgetNanos, long tookNanos, boolean timedOut) {
        calls.increment();
        if (timedOut) {
            timeouts.increment();
        }
        budget.set(Seconds.of(budgetNanos));
        last.set(Seconds.of(tookNanos));
        longest.set(Seconds.of(longestNanos.accumulateAndGet(tookNanos, Math::max)));
    }
}
