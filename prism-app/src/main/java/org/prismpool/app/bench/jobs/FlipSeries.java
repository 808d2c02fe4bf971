package org.prismpool.app.bench.jobs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.prismpool.app.devnode.DevNode;
import org.prismpool.app.devnode.fault.CallRecord;

/** Drives tip changes one after the other and takes their times. For one thread. */
final class FlipSeries {

    private static final Duration LONGEST = Duration.ofSeconds(100);

    private final DevNode node;
    private final WireClients clients;
    private final InjectedWaits waits;
    private final Latencies latencies;
    private final AtomicLong refreshEnd;

    /**
     * Prepares a series.
     *
     * @param refreshEnd when the newest refresh ended
     */
    FlipSeries(DevNode node, WireClients clients, InjectedWaits waits, Latencies latencies, AtomicLong refreshEnd) {
        this.node = node;
        this.clients = clients;
        this.waits = waits;
        this.latencies = latencies;
        this.refreshEnd = refreshEnd;
    }

    /**
     * Changes the tip once and waits until every client has work on it.
     *
     * @param count clients, from the first
     * @return the times
     * @throws IllegalStateException if the work does not arrive
     * @throws InterruptedException if interrupted
     */
    Flip flip(int count) throws InterruptedException {
        waits.clear();
        node.recorder().clear();
        String old = clients.commonParent(0, count);
        node.control().mine(1);
        long began = System.nanoTime();
        List<Long> arrivals = clients.awaitOtherParent(0, count, old, LONGEST);
        if (arrivals.isEmpty()) {
            throw new IllegalStateException("the new tip did not reach every client within " + LONGEST);
        }
        long last = arrivals.stream().mapToLong(Long::longValue).max().orElseThrow();
        long ended = awaitRefreshEnd(last);
        List<InjectedWaits.Interval> injected = injected();
        List<Long> deliveries = arrivals.stream().map(at -> at - began).toList();
        return new Flip(
                deliveries,
                ended - began,
                InjectedWaits.covered(injected, began, ended),
                InjectedWaits.covered(injected, began, last));
    }

    /** A refresh ends after its last delivery. */
    private long awaitRefreshEnd(long lastArrival) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        long limit = System.nanoTime() + LONGEST.toNanos();
        while (refreshEnd.get() - lastArrival < 0) {
            if (never.await(1, TimeUnit.MILLISECONDS) || System.nanoTime() - limit > 0) {
                throw new IllegalStateException("the refresh did not end within " + LONGEST);
            }
        }
        return refreshEnd.get();
    }

    /** The waits of ledger and compiler, and those that the node was told to make. */
    private List<InjectedWaits.Interval> injected() {
        List<InjectedWaits.Interval> all = new ArrayList<>(waits.intervals());
        for (CallRecord call : node.recorder().calls()) {
            Duration latency = SlowNode.latency(call.method(), latencies);
            all.add(new InjectedWaits.Interval(call.startNanos(), call.startNanos() + latency.toNanos()));
        }
        return all;
    }
}
