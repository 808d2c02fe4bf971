package org.prismpool.lifecycle.shutdown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.prismpool.lifecycle.shutdown.WriterComponent.ACCEPTED_BLOCK_HANDLING;
import static org.prismpool.lifecycle.shutdown.WriterComponent.PAYOUT_RECONCILIATION;
import static org.prismpool.lifecycle.shutdown.WriterComponent.SHARE_PERSISTENCE;
import static org.prismpool.lifecycle.shutdown.WriterComponent.SHARE_SUBMISSION;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.event.LifecycleEvents;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.testing.TestThreads;

class WriterAdmissionTest {

    private final ShutdownController gate = new ShutdownController(
            ShutdownConfig.defaults(), LeasePort.none(), new ManualClock(), LifecycleEvents.none());

    @Test
    void runningAdmitsEveryoneAndCountsByComponent() {
        WriterTicket first = gate.enter(SHARE_SUBMISSION);
        WriterTicket second = gate.reserve(SHARE_PERSISTENCE);
        WriterTicket third = gate.reserve(SHARE_PERSISTENCE);

        assertThat(gate.snapshot().openWriters()).isEqualTo(Map.of(SHARE_SUBMISSION, 1, SHARE_PERSISTENCE, 2));
        assertThat(gate.hasActive(Set.of(SHARE_PERSISTENCE, PAYOUT_RECONCILIATION)))
                .isTrue();

        first.close();
        second.close();
        third.close();
        assertThat(gate.snapshot().openWriters()).isEmpty();
        assertThat(gate.hasActive(Set.of(SHARE_PERSISTENCE, SHARE_SUBMISSION))).isFalse();
    }

    @Test
    void aTicketIsClosedOnce() {
        WriterTicket first = gate.reserve(SHARE_PERSISTENCE);
        WriterTicket second = gate.reserve(SHARE_PERSISTENCE);

        first.close();
        first.close();

        assertThat(first.open()).isFalse();
        assertThat(second.open()).isTrue();
        assertThat(gate.snapshot().openWriters()).isEqualTo(Map.of(SHARE_PERSISTENCE, 1));
        second.close();
    }

    @Test
    void aRequestClosesAdmission() {
        gate.request(OptionalInt.empty());

        assertThat(gate.closed()).isTrue();
        assertThatThrownBy(() -> gate.enter(SHARE_SUBMISSION))
                .isInstanceOf(ShutdownInProgressException.class)
                .hasMessage("share_submission refused: shutdown in progress");
        assertThatThrownBy(() -> gate.reserve(SHARE_PERSISTENCE)).isInstanceOf(ShutdownInProgressException.class);
    }

    @Test
    void nestedWorkInheritsFromTheThread() throws Exception {
        WriterTicket outer = gate.enter(SHARE_SUBMISSION);
        gate.request(OptionalInt.empty());

        WriterTicket nested = gate.enter(ACCEPTED_BLOCK_HANDLING);
        WriterTicket reserved = gate.reserve(SHARE_PERSISTENCE);
        CompletableFuture<WriterTicket> stranger = TestThreads.run("stranger", () -> gate.enter(SHARE_SUBMISSION));

        assertThatThrownBy(() -> TestThreads.result(stranger)).hasCauseInstanceOf(ShutdownInProgressException.class);
        nested.close();
        outer.close();
        assertThatThrownBy(() -> gate.enter(SHARE_SUBMISSION)).isInstanceOf(ShutdownInProgressException.class);
        reserved.close();
    }

    @Test
    void aReservedTicketDoesNotSpeakForItsThread() {
        WriterTicket reserved = gate.reserve(SHARE_SUBMISSION);
        gate.request(OptionalInt.empty());

        assertThatThrownBy(() -> gate.enter(SHARE_SUBMISSION)).isInstanceOf(ShutdownInProgressException.class);
        reserved.close();
    }

    @Test
    void workInheritsFromItsParentOnAnyThread() throws Exception {
        WriterTicket submission = gate.reserve(SHARE_SUBMISSION);
        gate.request(OptionalInt.empty());

        WriterTicket persistence =
                TestThreads.result(TestThreads.run("event-loop", () -> gate.reserve(SHARE_PERSISTENCE, submission)));

        assertThat(persistence.component()).isEqualTo(SHARE_PERSISTENCE);
        submission.close();
        assertThatThrownBy(() -> gate.reserve(SHARE_PERSISTENCE, submission))
                .isInstanceOf(ShutdownInProgressException.class);
        persistence.close();
    }

    @Test
    void theTicketOfAnotherGateIsNoParent() {
        ShutdownController other = new ShutdownController(
                ShutdownConfig.defaults(), LeasePort.none(), new ManualClock(), LifecycleEvents.none());
        WriterTicket foreign = other.reserve(SHARE_SUBMISSION);

        assertThatThrownBy(() -> gate.reserve(SHARE_PERSISTENCE, foreign)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTicketEnteredHereMayBeClosedThere() throws Exception {
        WriterTicket ticket = gate.enter(SHARE_SUBMISSION);

        TestThreads.result(TestThreads.run("elsewhere", () -> {
            ticket.close();
            return true;
        }));
        gate.request(OptionalInt.empty());

        assertThatThrownBy(() -> gate.enter(SHARE_SUBMISSION)).isInstanceOf(ShutdownInProgressException.class);
    }

    @Test
    void nothingIsAdmittedAfterTheRelease() {
        gate.shutdown("graceful");

        assertThatThrownBy(() -> gate.enter(SHARE_SUBMISSION))
                .isInstanceOfSatisfying(
                        ShutdownInProgressException.class,
                        e -> assertThat(e.releaseStarted()).isTrue())
                .hasMessageContaining("lease release already started");
        assertThatThrownBy(() -> gate.enter(SHARE_SUBMISSION, () -> {}))
                .hasMessageContaining("lease release already started");
        assertThatThrownBy(() -> gate.reserve(SHARE_SUBMISSION)).hasMessageContaining("lease release already started");
    }

    @Test
    void enteringWithASignOfLifeAdmitsLikeEntering() {
        try (WriterTicket ticket = gate.enter(SHARE_SUBMISSION, () -> {})) {
            assertThat(ticket.component()).isEqualTo(SHARE_SUBMISSION);
            assertThat(gate.hasActive(Set.of(SHARE_SUBMISSION))).isTrue();
        }
        assertThat(gate.hasActive(Set.of(SHARE_SUBMISSION))).isFalse();
    }

    @Test
    void componentsAreNamedInLowerCase() {
        assertThatThrownBy(() -> new WriterComponent("Share Submission")).isInstanceOf(IllegalArgumentException.class);
        assertThat(new WriterComponent("my_writer").name()).isEqualTo("my_writer");
    }

    @Test
    void aWaitForTheLockIsCountedWithItsTime() throws Exception {
        ShutdownMonitor monitor = new ShutdownMonitor();
        assertThat(monitor.waits()).isEqualTo(new LockWaits(0, Duration.ZERO, Duration.ZERO));
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Thread holder = new Thread(
                () -> monitor.locked(() -> {
                    held.countDown();
                    return awaited(release);
                }),
                "test-holder");
        holder.start();
        assertThat(held.await(20, TimeUnit.SECONDS)).isTrue();
        Thread waiting = new Thread(() -> monitor.change(() -> Boolean.TRUE), "test-waiting");
        waiting.start();
        await("blocked").until(() -> waiting.getState() == Thread.State.WAITING);
        release.countDown();
        waiting.join(20_000);
        holder.join(20_000);

        LockWaits waits = monitor.waits();
        assertThat(waits.contentions()).isEqualTo(1);
        assertThat(waits.total()).isPositive().isEqualTo(waits.longest());
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
