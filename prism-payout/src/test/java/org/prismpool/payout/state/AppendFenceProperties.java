package org.prismpool.payout.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;

class AppendFenceProperties {

    private record Row(long stamp, int atOrder) {}

    /**
     * Appends and landings race on real threads. A landing reads the rows that are durable before it asks; whatever is
     * permitted must not miss a row below its anchor that became durable before the permit.
     */
    @Property(tries = 60)
    void noPermittedLandingMissesADurableRowBelowItsAnchor(@ForAll long seed) throws Exception {
        MonotonicClock clock = MonotonicClock.system();
        AppendFence fence =
                new AppendFence(Duration.ofSeconds(300), Duration.ofSeconds(5), (epoch, stamp) -> {}, clock);
        ConcurrentLinkedQueue<Row> durable = new ConcurrentLinkedQueue<>();
        AtomicInteger order = new AtomicInteger();
        CountDownLatch start = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> work = new ArrayList<>();
        for (int t = 0; t < 2; t++) {
            Random random = new Random(seed + t);
            work.add(threads.submit(() -> {
                start.await();
                for (int i = 0; i < 100; i++) {
                    long stamp = random.nextInt(100);
                    try (AppendTicket ticket = fence.begin(List.of(new RowStamp(stamp, stamp)))) {
                        durable.add(new Row(stamp, order.incrementAndGet()));
                        ticket.committed();
                    }
                }
                return null;
            }));
        }
        ConcurrentLinkedQueue<String> missed = new ConcurrentLinkedQueue<>();
        for (int t = 0; t < 2; t++) {
            Random random = new Random(~seed + t);
            work.add(threads.submit(() -> {
                start.await();
                for (int i = 0; i < 100; i++) {
                    long anchor = random.nextInt(100);
                    AnchorExposure exposure = fence.expose(anchor);
                    long baseline = exposure.epoch();
                    List<Row> window = List.copyOf(durable);
                    Deadline deadline = Deadline.after(Duration.ofSeconds(5), clock, "test");
                    LandingDecision decision = fence.land(anchor, baseline, deadline, CancelSignal.never());
                    if (decision instanceof LandingDecision.Permitted permitted) {
                        durable.stream()
                                .filter(row -> row.stamp() <= anchor && !window.contains(row))
                                .forEach(row -> missed.add(row + " at anchor " + anchor));
                        permitted.permit().close();
                    }
                    exposure.close();
                }
                return null;
            }));
        }
        start.countDown();
        for (Future<?> each : work) {
            each.get();
        }
        threads.shutdown();

        assertThat(missed).isEmpty();
    }
}
