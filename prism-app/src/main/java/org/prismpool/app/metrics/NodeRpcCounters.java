package org.prismpool.app.metrics;

import java.util.concurrent.atomic.AtomicInteger;
import org.prismpool.lifecycle.metrics.BucketHistogram;
import org.prismpool.lifecycle.metrics.CounterSeries;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.templates.rpc.RpcMethod;
import org.prismpool.templates.rpc.RpcMetrics;

/** Counts calls of the node by method and outcome. Thread-safe. */
public final class NodeRpcCounters implements RpcMetrics {

    private final ByLabel<RpcMethod, ByLabel<Outcome, CounterSeries>> calls;
    private final ByLabel<RpcMethod, BucketHistogram> seconds;
    private final ByLabel<RpcMethod, CounterSeries> retries;
    private final AtomicInteger running = new AtomicInteger();

    NodeRpcCounters(MetricFamilies families) {
        this.calls = ByLabel.of(
                RpcMethod.class,
                method -> ByLabel.of(
                        Outcome.class,
                        outcome ->
                                families.counter("node_rpc_calls_total", method.wireName(), ByLabel.lower(outcome))));
        this.seconds = ByLabel.of(RpcMethod.class, method -> families.histogram("node_rpc_seconds", method.wireName()));
        this.retries =
                ByLabel.of(RpcMethod.class, method -> families.counter("node_rpc_retries_total", method.wireName()));
        families.gauge("node_rpc_inflight").readFrom(running::get);
    }

    @Override
    public void started(RpcMethod method) {
        running.incrementAndGet();
    }

    @Override
    public void ended(RpcMethod method, Outcome outcome, long nanos) {
        running.decrementAndGet();
        calls.get(method).get(outcome).increment();
        seconds.get(method).observeNanos(nanos);
    }

    @Override
    public void retried(RpcMethod method) {
        retries.get(method).increment();
    }
}
