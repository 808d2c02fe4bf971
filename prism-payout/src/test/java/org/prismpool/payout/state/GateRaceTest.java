package org.prismpool.payout.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.chain.Hash256;

/** Admissions, fences and publications from a common barrier on real threads, many times over. */
@Timeout(60)
class GateRaceTest {

    private static final int ROUNDS = 300;
    private static final int DELIVERERS = 3;

    private final MonotonicClock clock = MonotonicClock.system();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger insideAtSwap = new AtomicInteger();
    private final AtomicLong swapped = new AtomicLong();
    private final ExecutorService threads = Executors.newFixedThreadPool(DELIVERERS + 1);
    private final PayoutState state = new PayoutState(
            PayoutStateConfig.DEFAULT,
            new PayoutStatePorts(
                    (deadline, cancel) -> List.of(),
                    (height, deadline) -> Optional.empty(),
                    new PayoutEvents() {
                        @Override
                        public void swapping(PublishedPayout next) {
                            insideAtSwap.addAndGet(inside.get());
                            swapped.set(next.generation());
                        }
                    },
                    new PayoutStateMetrics() {}),
            clock);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void noDeliveryIsInsideWhileTheGenerationIsSwappedAndNoneIsAdmittedForAnOlderOne() throws Exception {
        publish();
        for (int round = 0; round < ROUNDS; round++) {
            CyclicBarrier start = new CyclicBarrier(DELIVERERS + 1);
            List<Future<Integer>> deliveries = new ArrayList<>();
            for (int i = 0; i < DELIVERERS; i++) {
                deliveries.add(threads.submit(() -> deliver(start)));
            }
            Future<Void> publication = threads.submit(() -> {
                start.await();
                state.invalidate(Hash256.ZERO, PayoutCause.PAYOUT_ONLY);
                state.fence(false);
                publish();
                return null;
            });
            publication.get();
            for (Future<Integer> delivery : deliveries) {
                assertThat(delivery.get())
                        .as("admitted for a generation that was swapped away")
                        .isZero();
            }
        }

        assertThat(insideAtSwap).hasValue(0);
        assertThat(state.published().generation()).isEqualTo(ROUNDS + 1);
        assertThat(state.snapshot().activeDeliveries()).isZero();
        assertThat(state.snapshot().open()).isTrue();
    }

    /** Delivers ten times for whatever is published; counts admissions that came after a newer swap. */
    private int deliver(CyclicBarrier start) throws Exception {
        start.await();
        int late = 0;
        for (int i = 0; i < 10; i++) {
            long generation = state.published().generation();
            Optional<GateTicket> ticket = state.tryAdmit(generation, GateCaller.PRIORITY, false, clock.nanoTime())
                    .ticket();
            if (ticket.isPresent()) {
                inside.incrementAndGet();
                late += swapped.get() > generation ? 1 : 0;
                inside.decrementAndGet();
                ticket.get().delivered();
            }
        }
        return late;
    }

    private void publish() throws InterruptedException {
        state.publishCurrent(true, Deadline.after(Duration.ofSeconds(30), clock, "publication"), CancelSignal.never());
    }
}
