package org.prismpool.lifecycle.executor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many short runs of the races that the contract names; each run has one right outcome whoever wins. */
class ExecutorRaceTest {

    private static final int RUNS = 2_000;

    @Test
    void cancelAndDequeueNeverBothWinAndTheSlotComesBackOnce() throws Exception {
        try (BoundedPriorityExecutor executor = BoundedPriorityExecutor.start(ExecutorConfig.of("race", 1, 1))) {
            int cancelledRuns = 0;
            for (int run = 0; run < RUNS; run++) {
                AtomicInteger bodies = new AtomicInteger();
                Ticket<Integer> ticket = executor.submit(0, bodies::incrementAndGet);
                boolean cancelWon = ticket.cancel();
                ticket.future().handle((result, failure) -> 0).get(10, TimeUnit.SECONDS);

                assertThat(bodies.get()).isEqualTo(cancelWon ? 0 : 1);
                assertThat(ticket.state()).isEqualTo(cancelWon ? TicketState.CANCELLED : TicketState.SUCCEEDED);
                assertThat(executor.stats().queued()).isZero();
                cancelledRuns += cancelWon ? 1 : 0;
            }
            ExecutorStats stats = executor.stats();
            assertThat(stats.cancelled()).isEqualTo(cancelledRuns);
            assertThat(stats.completed()).isEqualTo(RUNS - cancelledRuns);
        }
    }

    @Test
    void severalCancellersOfOneTicketHaveOneWinner() throws Exception {
        for (int run = 0; run < 200; run++) {
            try (BoundedPriorityExecutor executor = BoundedPriorityExecutor.start(ExecutorConfig.of("race", 1, 2))) {
                TaskGate gate = new TaskGate();
                executor.submit(0, gate);
                Ticket<String> ticket = executor.submit(0, () -> "ran");
                AtomicInteger winners = new AtomicInteger();
                CyclicBarrier start = new CyclicBarrier(3);
                List<Thread> cancellers = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    cancellers.add(new Thread(() -> {
                        meet(start);
                        if (executor.cancel(ticket)) {
                            winners.incrementAndGet();
                        }
                    }));
                }
                cancellers.forEach(Thread::start);
                for (Thread canceller : cancellers) {
                    canceller.join(10_000);
                }
                gate.open();

                assertThat(winners).hasValueLessThan(2);
                assertThat(executor.stats().cancelled()).isEqualTo(winners.get());
            }
        }
    }

    @Test
    void everyAdmittedTicketEndsWhateverClosesWhile() throws Exception {
        for (int run = 0; run < 200; run++) {
            BoundedPriorityExecutor executor = BoundedPriorityExecutor.start(ExecutorConfig.of("race", 2, 8));
            List<Ticket<String>> admitted = new ArrayList<>();
            CyclicBarrier start = new CyclicBarrier(2);
            Thread submitter = new Thread(() -> {
                meet(start);
                for (int i = 0; i < 50; i++) {
                    try {
                        admitted.add(executor.submit(i % 3, () -> "ran"));
                    } catch (QueueFullException full) {
                        Thread.onSpinWait();
                    } catch (ExecutorClosedException closed) {
                        return;
                    }
                }
            });
            submitter.start();
            meet(start);
            executor.close(run % 2 == 0 ? CloseMode.DRAIN : CloseMode.CANCEL_QUEUED, Duration.ZERO);
            submitter.join(10_000);

            assertThat(executor.close(CloseMode.DRAIN, Duration.ofSeconds(10))).isEmpty();
            assertThat(admitted).allMatch(ticket -> ticket.state().terminal());
            assertThat(admitted).allMatch(ticket -> ticket.future().isDone());
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
