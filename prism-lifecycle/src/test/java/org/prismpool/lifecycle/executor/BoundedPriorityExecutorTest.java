package org.prismpool.lifecycle.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;

class BoundedPriorityExecutorTest {

    private final ManualClock clock = new ManualClock();
    private final List<String> ran = new CopyOnWriteArrayList<>();
    private final BoundedPriorityExecutor executor = start(1, 2, Duration.ZERO);
    private final TaskGate blocker = new TaskGate();

    @AfterEach
    void close() {
        blocker.open();
        assertThat(executor.close(CloseMode.CANCEL_QUEUED, Duration.ofSeconds(10)))
                .isEmpty();
    }

    @Test
    void theTraceOfTheContract() throws Exception {
        block();
        Ticket<String> a = executor.submit(2, named("A"));
        executor.submit(1, named("B"));
        assertThatThrownBy(() -> executor.submit(0, named("C"))).isInstanceOf(QueueFullException.class);

        assertThat(executor.cancel(a)).isTrue();
        assertThat(List.of(executor.stats().queued(), executor.stats().active()))
                .containsExactly(1, 1);
        executor.submit(0, named("C"));
        assertThat(List.of(executor.stats().queued(), executor.stats().active()))
                .containsExactly(2, 1);

        blocker.open();
        executor.close(CloseMode.DRAIN, Duration.ofSeconds(10));
        assertThat(ran).containsExactly("C", "B");
        assertThatThrownBy(() -> executor.submit(0, named("D"))).isInstanceOf(ExecutorClosedException.class);
        assertThat(executor.stats().rejectedFull()).isOne();
        assertThat(executor.stats().rejectedClosed()).isOne();
        assertThat(executor.stats().cancelled()).isOne();
        assertThat(executor.stats().completed()).isEqualTo(3);
    }

    @Test
    void equalPrioritiesRunInTheOrderOfSubmission() throws Exception {
        try (BoundedPriorityExecutor wide = start(1, 10, Duration.ZERO)) {
            wide.submit(0, blocker);
            blocker.awaitStarted();
            List.of("1", "2", "3", "4").forEach(name -> wide.submit(7, named(name)));
            blocker.open();

            await().untilAsserted(() -> assertThat(ran).containsExactly("1", "2", "3", "4"));
        }
    }

    @Test
    void waitingLiftsAnEntryByOnePriorityPerAgingStep() throws Exception {
        try (BoundedPriorityExecutor aging = start(1, 10, Duration.ofSeconds(5))) {
            aging.submit(0, blocker);
            blocker.awaitStarted();
            aging.submit(3, named("old"));
            clock.advance(Duration.ofSeconds(10)); // old: 3 - 2 = 1
            aging.submit(1, named("young"));
            aging.submit(0, named("urgent"));
            blocker.open();

            await().untilAsserted(() -> assertThat(ran).containsExactly("urgent", "old", "young"));
        }
    }

    @Test
    void withoutAgingPrioritiesAreStrict() throws Exception {
        block();
        executor.submit(1, named("old"));
        clock.advance(Duration.ofDays(1));
        executor.submit(0, named("young"));
        blocker.open();

        await().untilAsserted(() -> assertThat(ran).containsExactly("young", "old"));
    }

    @Test
    void aLowPriorityEntryStartsAfterItsAgingTimeAlthoughUrgentOnesKeepComing() throws Exception {
        Duration step = Duration.ofSeconds(5);
        try (BoundedPriorityExecutor aging = start(1, 2, step)) {
            aging.submit(0, blocker);
            blocker.awaitStarted();
            Ticket<String> low = aging.submit(3, named("low"));
            TaskGate running = blocker;
            int urgentOnes = 0;
            while (low.state() == TicketState.QUEUED && urgentOnes < 100) {
                TaskGate next = new TaskGate();
                aging.submit(0, next); // takes the one free slot at once: the worst case
                clock.advance(Duration.ofSeconds(1)); // every task takes one second
                running.open();
                await().until(() -> next.started() || low.state() != TicketState.QUEUED);
                running = next;
                urgentOnes++;
            }
            running.open();

            // p * agingStep + ceil((capacity + 1) / workers) * S = 3 * 5 + 3 * 1
            assertThat(urgentOnes).isLessThanOrEqualTo(18);
        }
    }

    @Test
    void submitNeverRunsTheTaskInTheCaller() throws Exception {
        Thread runner = executor.submit(0, Thread::currentThread).future().get(10, TimeUnit.SECONDS);

        assertThat(runner).isNotEqualTo(Thread.currentThread());
        assertThat(runner.getName()).isEqualTo("test-executor-1");
        assertThat(runner.isDaemon()).isTrue();
    }

    @Test
    void aRunningOrFinishedTaskCannotBeCancelledAndIsNotInterrupted() throws Exception {
        Ticket<String> running = executor.submit(0, blocker);
        blocker.awaitStarted();

        assertThat(executor.cancel(running)).isFalse();
        assertThat(running.future().cancel(true)).isFalse();
        assertThat(running.state()).isEqualTo(TicketState.RUNNING);
        blocker.open();

        assertThat(running.future().get(10, TimeUnit.SECONDS)).isEqualTo("done");
        assertThat(running.cancel()).isFalse();
        assertThat(running.state()).isEqualTo(TicketState.SUCCEEDED);
    }

    @Test
    void cancellingTheFutureFreesTheSlotToo() throws Exception {
        block();
        Ticket<String> first = executor.submit(1, named("first"));
        executor.submit(1, named("second"));

        assertThat(first.future().cancel(false)).isTrue();

        assertThat(first.state()).isEqualTo(TicketState.CANCELLED);
        assertThat(first.future()).isCancelled();
        assertThat(executor.stats().queued()).isOne();
        executor.submit(1, named("third"));
    }

    @Test
    void nobodyElseCanCompleteATicket() throws Exception {
        block();
        Ticket<String> ticket = executor.submit(1, named("mine"));

        assertThat(ticket.future().complete("forged")).isFalse();
        assertThat(ticket.future().completeExceptionally(new IllegalStateException("forged")))
                .isFalse();
        assertThatThrownBy(() -> ticket.future().obtrudeValue("forged")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> ticket.future().obtrudeException(new IllegalStateException("forged")))
                .hasMessageContaining("only the executor");
        blocker.open();

        assertThat(ticket.future().get(10, TimeUnit.SECONDS)).isEqualTo("mine");
    }

    @Test
    void aTimeLimitOnACopyLeavesTheTicketAlone() throws Exception {
        block();
        Ticket<String> ticket = executor.submit(1, named("slow"));

        assertThatThrownBy(() -> ticket.future()
                        .copy()
                        .orTimeout(1, TimeUnit.MILLISECONDS)
                        .join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(TimeoutException.class);

        assertThat(ticket.state()).isEqualTo(TicketState.QUEUED);
    }

    @Test
    void theTicketOfAnotherExecutorIsRefused() {
        try (BoundedPriorityExecutor other = start(1, 1, Duration.ZERO)) {
            Ticket<String> foreign = other.submit(0, named("foreign"));

            assertThatThrownBy(() -> executor.cancel(foreign)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void callbacksMayCallTheExecutor() throws Exception {
        AtomicReference<Object> seen = new AtomicReference<>();
        Ticket<String> queuedLater = executor.submit(0, blocker);
        CompletableFuture<Void> callback = queuedLater.future().thenRun(() -> {
            Ticket<String> inner = executor.submit(0, named("inner"));
            executor.cancel(inner);
            executor.stats();
            seen.set(executor.close(CloseMode.DRAIN, Duration.ofSeconds(5)));
        });
        blocker.awaitStarted();
        blocker.open();

        callback.get(10, TimeUnit.SECONDS);
        await().untilAsserted(() -> assertThat(seen.get()).isEqualTo(List.of("test-executor-1")));
    }

    @Test
    void aCancellationCallbackFindsTheSlotFree() throws Exception {
        block();
        Ticket<String> first = executor.submit(1, named("first"));
        executor.submit(1, named("second"));
        AtomicInteger admitted = new AtomicInteger();
        CompletableFuture<String> callback = first.future().whenComplete((result, failure) -> {
            executor.submit(1, named("from the callback"));
            admitted.incrementAndGet();
        });

        executor.cancel(first);

        assertThat(callback).isCompletedExceptionally();
        assertThat(admitted).hasValue(1);
    }

    @Test
    void aTaskMayThrowAnythingAndTheWorkerSurvives() {
        Ticket<String> error = executor.submit(0, () -> {
            throw new AssertionError("an Error");
        });
        Ticket<String> checked = executor.submit(0, () -> {
            throw new Exception("checked");
        });

        assertThatThrownBy(() -> error.future().get(10, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> checked.future().get(10, TimeUnit.SECONDS)).hasRootCauseMessage("checked");
        assertThat(executor.submit(0, named("after")).future().join()).isEqualTo("after");
        assertThat(executor.stats().failed()).isEqualTo(2);
        assertThat(error.state()).isEqualTo(TicketState.FAILED);
    }

    @Test
    void anInterruptOfOneTaskDoesNotReachTheNext() {
        executor.submit(0, () -> {
            Thread.currentThread().interrupt();
            return "";
        });

        assertThat(executor.submit(0, Thread::interrupted).future().join()).isFalse();
    }

    @Test
    void drainingRunsWhatIsQueued() throws Exception {
        block();
        Ticket<String> queued = executor.submit(1, named("queued"));

        assertThat(executor.close(CloseMode.DRAIN, Duration.ZERO)).containsExactly("test-executor-1");
        assertThatThrownBy(() -> executor.submit(0, named("late"))).isInstanceOf(RejectedExecutionException.class);
        blocker.open();

        assertThat(queued.future().get(10, TimeUnit.SECONDS)).isEqualTo("queued");
        assertThat(executor.close(CloseMode.DRAIN, Duration.ofSeconds(10))).isEmpty();
    }

    @Test
    void aStrongerCloseCancelsWhatAnEarlierOneLeftQueued() throws Exception {
        block();
        Ticket<String> queued = executor.submit(1, named("queued"));
        executor.close(CloseMode.DRAIN, Duration.ZERO);

        executor.close(CloseMode.CANCEL_QUEUED, Duration.ZERO);

        assertThat(queued.state()).isEqualTo(TicketState.CANCELLED);
        assertThatThrownBy(() -> queued.future().get()).isInstanceOf(CancellationException.class);
        blocker.open();
        assertThat(executor.close(CloseMode.DRAIN, Duration.ofSeconds(10))).isEmpty();
        assertThat(ran).isEmpty();
    }

    @Test
    void closingFromAWorkerDoesNotWaitForItself() throws Exception {
        Ticket<List<String>> closing =
                executor.submit(0, () -> executor.close(CloseMode.CANCEL_QUEUED, Duration.ofSeconds(30)));

        assertThat(closing.future().get(60, TimeUnit.SECONDS)).containsExactly("test-executor-1");
    }

    @Test
    void anInterruptedCloserKeepsItsFlag() throws Exception {
        block();
        Thread.currentThread().interrupt();

        assertThat(executor.close(CloseMode.DRAIN, Duration.ofSeconds(30))).containsExactly("test-executor-1");

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void statsTellTheOldestAgeOfEachPriority() throws Exception {
        block();
        executor.submit(4, named("a"));
        clock.advance(Duration.ofSeconds(2));
        executor.submit(1, named("b"));
        clock.advance(Duration.ofSeconds(3));

        assertThat(executor.stats().oldestQueuedAge())
                .containsExactly(Map.entry(1, Duration.ofSeconds(3)), Map.entry(4, Duration.ofSeconds(5)));
    }

    @Test
    void aFailingThreadFactoryLeavesNoWorkerBehind() throws Exception {
        List<Thread> made = new CopyOnWriteArrayList<>();
        ExecutorConfig config = ExecutorConfig.of("broken", 3, 1).withThreadFactory(work -> {
            if (made.size() == 2) {
                throw new IllegalStateException("no more threads");
            }
            Thread thread = new Thread(work, "broken-" + made.size());
            made.add(thread);
            return thread;
        });

        assertThatThrownBy(() -> BoundedPriorityExecutor.start(config)).hasMessage("no more threads");

        for (Thread thread : made) {
            thread.join(10_000);
            assertThat(thread.isAlive()).isFalse();
        }
    }

    @Test
    void impossibleShapesAreRefused() {
        assertThatThrownBy(() -> ExecutorConfig.of("x", 0, 1)).hasMessageContaining("workers");
        assertThatThrownBy(() -> ExecutorConfig.of("x", 1, 0)).hasMessageContaining("queueCapacity");
        assertThatThrownBy(() -> ExecutorConfig.of(" ", 1, 1)).hasMessageContaining("name");
        assertThatThrownBy(() -> ExecutorConfig.of("x", 1, 1).withAgingStep(Duration.ofSeconds(-1)))
                .hasMessageContaining("agingStep");
        assertThatThrownBy(() -> ExecutorConfig.of("x", 1, 1).withCloseWait(Duration.ofSeconds(-1)))
                .hasMessageContaining("closeWait");
        assertThatThrownBy(() -> executor.submit(-1, named("x"))).hasMessageContaining("priority");
    }

    private void block() throws InterruptedException {
        executor.submit(0, blocker);
        blocker.awaitStarted();
    }

    private Callable<String> named(String name) {
        return () -> {
            ran.add(name);
            return name;
        };
    }

    private BoundedPriorityExecutor start(int workers, int capacity, Duration agingStep) {
        return BoundedPriorityExecutor.start(ExecutorConfig.of("test-executor", workers, capacity)
                .withClock(clock)
                .withAgingStep(agingStep));
    }
}
