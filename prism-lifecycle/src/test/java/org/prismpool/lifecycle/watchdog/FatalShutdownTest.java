package org.prismpool.lifecycle.watchdog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.event.LifecycleEvent;
import org.prismpool.lifecycle.event.LifecycleEvents;
import org.prismpool.lifecycle.shutdown.LeasePort;
import org.prismpool.lifecycle.shutdown.ShutdownConfig;
import org.prismpool.lifecycle.shutdown.ShutdownController;
import org.prismpool.lifecycle.shutdown.ShutdownPhase;
import org.prismpool.lifecycle.shutdown.ShutdownReport;
import org.prismpool.lifecycle.shutdown.WriterComponent;
import org.prismpool.lifecycle.shutdown.WriterTicket;
import org.prismpool.lifecycle.testing.FakeLease;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.testing.RecordingEvents;
import org.prismpool.lifecycle.testing.TestThreads;
import org.prismpool.lifecycle.time.MonotonicClock;

class FatalShutdownTest {

    private static final FatalReason PUBLICATION = new FatalReason.Publication(Duration.ofMinutes(2));
    private static final FatalReason LEASE =
            new FatalReason.LeaseHeartbeat("silent", Duration.ofMillis(760), Duration.ZERO);

    private final ManualClock clock = new ManualClock();
    private final FakeLease lease = new FakeLease();
    private final RecordingEvents events = new RecordingEvents();
    private final List<Integer> exits = new CopyOnWriteArrayList<>();
    private final ShutdownController controller =
            new ShutdownController(ShutdownConfig.defaults(), lease, clock, events);

    @Test
    void itReleasesOverAFreshConnectionTellsAndHalts() {
        FatalShutdown fatal = fatal(events, clock);

        fatal.fire(PUBLICATION);

        assertThat(exits).containsExactly(1);
        assertThat(lease.calls()).containsExactly("stopHeartbeat", "releaseFreshConnection");
        assertThat(events.only("watchdog_fatal_exit").toJson())
                .isEqualTo("{\"event\":\"watchdog_fatal_exit\",\"exit_code\":1,\"lease_release_outcome\":\"success\","
                        + "\"qbit_blockpoll_state\":{\"phase\":\"idle\"},\"reason\":\"publication\"}");
        assertThat(fatal.snapshot())
                .isEqualTo(new FatalSnapshot(Optional.of(PUBLICATION), 1, Optional.of(FatalOutcome.SUCCESS)));
    }

    @Test
    void nothingIsToldBeforeTheRelease() {
        lease.answering(deadline -> {
            assertThat(events.told()).isEmpty();
            return LeasePort.Outcome.NOT_HELD;
        });

        fatal(events, clock).fire(PUBLICATION);

        assertThat(events.only("watchdog_fatal_exit").fields()).containsEntry("lease_release_outcome", "success");
    }

    @Test
    void theFirstClaimIsFinal() {
        FatalShutdown fatal = fatal(events, clock);

        assertThat(fatal.claim(PUBLICATION)).isTrue();
        assertThat(fatal.claimed()).isTrue();
        assertThat(fatal.claim(LEASE)).isFalse();
        fatal.fire(LEASE);
        assertThat(exits).isEmpty();

        fatal.end(PUBLICATION);
        assertThat(exits).containsExactly(1);
    }

    @Test
    void aHungReleaseEndsAtTheBudget() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        lease.answering(deadline -> {
            TestThreads.await(never);
            return LeasePort.Outcome.SUCCESS;
        });
        FatalShutdown fatal = fatal(events, clock);
        CompletableFuture<Boolean> firing = TestThreads.run("watchdog", () -> {
            fatal.fire(PUBLICATION);
            return true;
        });
        await().until(() -> lease.releases() == 1);
        clock.advance(Duration.ofMillis(4_999));
        assertThat(exits).isEmpty();
        clock.advance(Duration.ofMillis(1));

        TestThreads.result(firing);
        assertThat(exits).containsExactly(1);
        assertThat(fatal.snapshot().outcome()).contains(FatalOutcome.TIMEOUT);
        never.countDown();
    }

    @Test
    void aLeaseExitHasATenthOfASecond() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        lease.answering(deadline -> {
            assertThat(deadline.remaining()).isLessThanOrEqualTo(Duration.ofMillis(100));
            TestThreads.await(never);
            return LeasePort.Outcome.SUCCESS;
        });
        CompletableFuture<Boolean> firing = TestThreads.run("heartbeat", () -> {
            fatal(events, clock).fire(LEASE);
            return true;
        });
        await().until(() -> lease.releases() == 1);
        clock.advance(Duration.ofMillis(100));

        TestThreads.result(firing);
        assertThat(exits).containsExactly(1);
        never.countDown();
    }

    @Test
    void theThreadThatTriggeredTheExitCountsAsStopped() {
        AtomicReference<Boolean> counted = new AtomicReference<>();
        Thread self = Thread.currentThread();
        lease.stoppingHeartbeat(waiting -> {
            counted.set(waiting.contains(self));
            return true;
        });

        fatal(events, clock).fire(LEASE);

        assertThat(counted.get()).isTrue();
    }

    @Test
    void anOpenWriterKeepsTheLeaseAndTheProcessStillEnds() throws Exception {
        WriterTicket ticket = controller.reserve(WriterComponent.SHARE_PERSISTENCE);
        FatalShutdown fatal = fatal(events, clock);
        CompletableFuture<Boolean> firing = TestThreads.run("watchdog", () -> {
            fatal.fire(PUBLICATION);
            return true;
        });
        await().until(() -> controller.phase() == ShutdownPhase.QUIESCING_WRITERS);
        clock.advance(Duration.ofSeconds(5));

        TestThreads.result(firing);
        assertThat(exits).containsExactly(1);
        assertThat(lease.releases()).isZero();
        assertThat(fatal.snapshot().outcome()).contains(FatalOutcome.TIMEOUT);
        ticket.close();
    }

    @Test
    void aWriterThatFinishesInTimeLetsTheLeaseGo() throws Exception {
        WriterTicket ticket = controller.reserve(WriterComponent.SHARE_PERSISTENCE);
        FatalShutdown fatal = fatal(events, clock);
        CompletableFuture<Boolean> firing = TestThreads.run("watchdog", () -> {
            fatal.fire(PUBLICATION);
            return true;
        });
        await().until(() -> controller.phase() == ShutdownPhase.QUIESCING_WRITERS);
        clock.advance(Duration.ofSeconds(4));
        ticket.close();

        TestThreads.result(firing);
        assertThat(lease.releases()).isOne();
        assertThat(fatal.snapshot().outcome()).contains(FatalOutcome.SUCCESS);
    }

    @Test
    void aReleaseThatThrowsIsAFailure() {
        lease.answering(deadline -> {
            throw new IllegalStateException("no connection");
        });
        FatalShutdown fatal = fatal(events, clock);

        fatal.fire(PUBLICATION);

        assertThat(exits).containsExactly(1);
        assertThat(fatal.snapshot().outcome()).contains(FatalOutcome.FAILURE);
    }

    @Test
    void aThreadThatCannotStartDoesNotStopTheExit() {
        ThreadFactory broken = work -> {
            throw new OutOfMemoryError("unable to create native thread");
        };
        FatalShutdown fatal = new FatalShutdown(
                FatalConfig.defaults(), controller, exits::add, clock, events, () -> Map.of(), broken);

        assertThatThrownBy(() -> fatal.fire(PUBLICATION)).isInstanceOf(OutOfMemoryError.class);

        assertThat(exits).containsExactly(1);
    }

    @Test
    void queuedLinesLeaveTheProcessBeforeItHalts() {
        List<String> order = new CopyOnWriteArrayList<>();
        LifecycleEvents queued = new LifecycleEvents() {
            @Override
            public void tell(LifecycleEvent event) {
                order.add(event.name());
            }

            @Override
            public void flush() {
                order.add("flush");
            }
        };
        new FatalShutdown(
                        FatalConfig.defaults(),
                        controller,
                        code -> order.add("halt " + code),
                        clock,
                        queued,
                        () -> Map.of())
                .fire(PUBLICATION);

        assertThat(order).containsExactly("watchdog_fatal_exit", "flush", "halt 1");
    }

    @Test
    void aBlockedLogDoesNotDelayTheExitBeyondTheBudget() throws Exception {
        CountDownLatch fullPipe = new CountDownLatch(1);
        LifecycleEvents blocked = event -> TestThreads.await(fullPipe);
        FatalShutdown fatal = fatal(blocked, clock);
        CompletableFuture<Boolean> firing = TestThreads.run("watchdog", () -> {
            fatal.fire(PUBLICATION);
            return true;
        });
        await().until(() -> fatal.snapshot().outcome().isPresent());
        assertThat(lease.releases()).isOne();
        clock.advance(Duration.ofSeconds(5));

        TestThreads.result(firing);
        assertThat(exits).containsExactly(1);
        assertThat(fatal.snapshot().outcome()).contains(FatalOutcome.SUCCESS);
        fullPipe.countDown();
    }

    @Test
    void anotherShutdownInProgressIsWaitedForAndNotRepeated() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        lease.answering(deadline -> {
            TestThreads.await(answer);
            return LeasePort.Outcome.SUCCESS;
        });
        CompletableFuture<ShutdownReport> owner = TestThreads.run("main", () -> controller.shutdown("serve_exit"));
        await().until(() -> controller.phase() == ShutdownPhase.RELEASING_LEASE);
        FatalShutdown fatal = fatal(events, clock);
        CompletableFuture<Boolean> firing = TestThreads.run("watchdog", () -> {
            fatal.fire(PUBLICATION);
            return true;
        });
        await().until(() -> fatal.snapshot().releaseAttempts() == 1);
        answer.countDown();

        TestThreads.result(firing);
        assertThat(TestThreads.result(owner).released()).isTrue();
        assertThat(lease.releases()).isOne();
        assertThat(fatal.snapshot().outcome()).contains(FatalOutcome.SUCCESS);
    }

    @Test
    void anInterruptDoesNotStopTheExit() {
        Thread.currentThread().interrupt();

        fatal(events, clock).fire(PUBLICATION);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(exits).containsExactly(1);
        assertThat(lease.releases()).isOne();
    }

    @Test
    void onTheRealClockAHungReleaseEndsWithinATenthOfItsBudget() {
        CountDownLatch never = new CountDownLatch(1);
        lease.answering(deadline -> {
            TestThreads.await(never);
            return LeasePort.Outcome.SUCCESS;
        });
        MonotonicClock real = MonotonicClock.system();
        ShutdownController live = new ShutdownController(ShutdownConfig.defaults(), lease, real, events);
        FatalShutdown fatal = new FatalShutdown(
                FatalConfig.defaults().withReleaseBudget(Duration.ofMillis(300)),
                live,
                exits::add,
                real,
                events,
                () -> Map.of());
        long start = System.nanoTime();

        fatal.fire(PUBLICATION);

        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofMillis(300), Duration.ofMillis(400));
        never.countDown();
    }

    private FatalShutdown fatal(LifecycleEvents told, MonotonicClock time) {
        return new FatalShutdown(
                FatalConfig.defaults(), controller, exits::add, time, told, () -> Map.of("phase", "idle"));
    }
}
