package org.prismpool.lifecycle.shutdown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.prismpool.lifecycle.shutdown.WriterComponent.SHARE_PERSISTENCE;
import static org.prismpool.lifecycle.shutdown.WriterComponent.SHARE_SUBMISSION;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.FakeLease;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.testing.RecordingEvents;
import org.prismpool.lifecycle.testing.TestThreads;
import org.prismpool.lifecycle.time.Deadline;

class ShutdownControllerTest {

    private static final int SIGTERM = 15;

    private final ManualClock clock = new ManualClock();
    private final FakeLease lease = new FakeLease();
    private final RecordingEvents events = new RecordingEvents();
    private final ShutdownController controller = controller(ShutdownConfig.defaults());

    @Test
    void anIdleProcessStopsInTheOrderOfTheContract() {
        controller.request(OptionalInt.of(SIGTERM));
        clock.advance(Duration.ofMillis(150));

        ShutdownReport report = controller.shutdown("serve_exit");
        controller.drain(List.of());

        assertThat(report.released()).isTrue();
        assertThat(report.signal()).hasValue(SIGTERM);
        assertThat(events.names())
                .containsExactly(
                        "shutdown_start",
                        "writer_quiescence",
                        "lease_release_attempt",
                        "lease_release",
                        "non_writer_drain");
        assertThat(events.only("shutdown_start").toJson())
                .isEqualTo("{\"event\":\"shutdown_start\",\"reason\":\"serve_exit\",\"signal\":15,"
                        + "\"writer_quiescence_timeout_seconds\":15.0}");
        assertThat(events.only("writer_quiescence").toJson())
                .isEqualTo("{\"blockers\":{},\"duration_seconds\":0.000000,\"event\":\"writer_quiescence\","
                        + "\"outcome\":\"success\"}");
        assertThat(events.only("lease_release_attempt").toJson())
                .isEqualTo("{\"event\":\"lease_release_attempt\",\"fresh_connection\":false,\"supported\":true}");
        assertThat(events.only("lease_release").toJson())
                .isEqualTo("{\"duration_seconds\":0.000000,\"event\":\"lease_release\",\"outcome\":\"success\","
                        + "\"released\":true,\"sigterm_to_release_seconds\":0.150000}");
        assertThat(events.only("non_writer_drain").toJson())
                .isEqualTo("{\"duration_seconds\":0.000000,\"event\":\"non_writer_drain\","
                        + "\"lease_release_succeeded\":true,\"outcome\":\"complete\"}");
        assertThat(controller.phase()).isEqualTo(ShutdownPhase.COMPLETE);
        assertThat(lease.calls()).containsExactly("stopHeartbeat", "release");
    }

    @Test
    void aShutdownWithoutASignalSaysSo() {
        controller.shutdown("graceful");

        assertThat(events.only("shutdown_start").toJson()).contains("\"signal\":null");
        assertThat(events.only("lease_release").fields()).doesNotContainKey("sigterm_to_release_seconds");
        assertThat(controller.snapshot().signalToRelease()).isEmpty();
    }

    @Test
    void theReleaseWaitsForAnOpenWriter() throws Exception {
        WriterTicket ticket = controller.reserve(SHARE_PERSISTENCE);
        CompletableFuture<ShutdownReport> stopping =
                TestThreads.run("stopper", () -> controller.shutdown("serve_exit"));
        await().until(() -> controller.phase() == ShutdownPhase.QUIESCING_WRITERS);
        clock.advance(Duration.ofSeconds(3));
        assertThat(lease.releases()).isZero();

        ticket.close();

        ShutdownReport report = TestThreads.result(stopping);
        assertThat(report.quiescence().quiesced()).isTrue();
        assertThat(report.quiescence().elapsed()).isEqualTo(Duration.ofSeconds(3));
        assertThat(report.lease()).contains(LeasePort.Outcome.SUCCESS);
    }

    @Test
    void aShareAdmittedBeforeTheStopIsQueuedAndCommittedBeforeTheRelease() throws Exception {
        WriterTicket submission = controller.reserve(SHARE_SUBMISSION);
        controller.request(OptionalInt.of(SIGTERM));
        CompletableFuture<ShutdownReport> stopping =
                TestThreads.run("stopper", () -> controller.shutdown("serve_exit"));
        await().until(() -> controller.phase() == ShutdownPhase.QUIESCING_WRITERS);

        WriterTicket persistence = controller.reserve(SHARE_PERSISTENCE, submission); // queued late
        submission.close();
        assertThat(controller.hasActive(Set.of(SHARE_PERSISTENCE, SHARE_SUBMISSION)))
                .isTrue();
        assertThat(lease.releases()).isZero();
        persistence.close(); // committed

        assertThat(TestThreads.result(stopping).released()).isTrue();
    }

    @Test
    void writersThatDoNotFinishKeepTheLease() {
        ShutdownController impatient =
                controller(ShutdownConfig.defaults().withWriterQuiescenceTimeout(Duration.ofMillis(50)));
        WriterTicket submission = impatient.reserve(SHARE_SUBMISSION);
        WriterTicket persistence = impatient.reserve(SHARE_PERSISTENCE);
        CompletableFuture<ShutdownReport> stopping = TestThreads.run("stopper", () -> impatient.shutdown("serve_exit"));
        await().until(() -> impatient.phase() == ShutdownPhase.QUIESCING_WRITERS);
        clock.advance(Duration.ofMillis(50));

        ShutdownReport report = stopping.join();

        assertThat(report.withheld()).isTrue();
        assertThat(report.released()).isFalse();
        assertThat(report.quiescence().blockers()).isEqualTo(Map.of(SHARE_PERSISTENCE, 1, SHARE_SUBMISSION, 1));
        assertThat(impatient.phase()).isEqualTo(ShutdownPhase.RELEASE_WITHHELD);
        assertThat(lease.calls()).isEmpty();
        assertThat(events.told().stream().map(e -> e.toJson()))
                .contains(
                        "{\"active_operations\":1,\"component\":\"share_persistence\","
                                + "\"event\":\"lease_release_withheld\",\"reason\":\"writer_quiescence_timeout\"}",
                        "{\"active_operations\":1,\"component\":\"share_submission\","
                                + "\"event\":\"lease_release_withheld\",\"reason\":\"writer_quiescence_timeout\"}");
        assertThat(impatient.drain(List.of()).leftovers()).isEmpty();
        assertThat(impatient.snapshot().withheld()).isTrue();
        assertThat(events.only("non_writer_drain").fields()).containsEntry("lease_release_succeeded", false);
        submission.close();
        persistence.close();
    }

    @Test
    void aWriterThatFinishesAfterTheTimeoutCannotBringTheReleaseBack() {
        ShutdownController impatient =
                controller(ShutdownConfig.defaults().withWriterQuiescenceTimeout(Duration.ofNanos(1)));
        WriterTicket ticket = impatient.reserve(SHARE_PERSISTENCE);
        clock.advance(Duration.ofSeconds(1));
        CompletableFuture<ShutdownReport> stopping = TestThreads.run("stopper", () -> impatient.shutdown("serve_exit"));
        await().until(() -> impatient.phase() == ShutdownPhase.QUIESCING_WRITERS);
        clock.advance(Duration.ofNanos(1));
        assertThat(stopping.join().withheld()).isTrue();

        ticket.close();

        assertThat(impatient.shutdown("main_finally").withheld()).isTrue();
        assertThat(lease.releases()).isZero();
    }

    @Test
    void shuttingDownAndDrainingTwiceReleasesOnce() {
        AtomicInteger stopped = new AtomicInteger();
        DrainStep step = new DrainStep("service", Duration.ofSeconds(1), bound -> stopped.incrementAndGet() > 0);

        ShutdownReport first = controller.shutdown("graceful");
        ShutdownReport second = controller.shutdown("main_finally");
        DrainReport drained = controller.drain(List.of(step));
        DrainReport again = controller.drain(List.of(step));

        assertThat(second).isEqualTo(first);
        assertThat(again).isEqualTo(drained);
        assertThat(lease.releases()).isOne();
        assertThat(stopped).hasValue(1);
    }

    @Test
    void twoConcurrentCallersHaveOneOwnerAndOneReport() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        lease.answering(deadline -> {
            TestThreads.await(answer);
            return LeasePort.Outcome.SUCCESS;
        });
        CompletableFuture<ShutdownReport> first = TestThreads.run("first", () -> controller.shutdown("first"));
        await().until(() -> controller.phase() == ShutdownPhase.RELEASING_LEASE);
        CompletableFuture<ShutdownReport> second = TestThreads.run("second", () -> controller.shutdown("second"));

        answer.countDown();

        assertThat(TestThreads.result(second)).isEqualTo(TestThreads.result(first));
        assertThat(TestThreads.result(first).reason()).isEqualTo("first");
        assertThat(controller.snapshot().shutdowns()).isOne();
        assertThat(lease.releases()).isOne();
    }

    @Test
    void aRepeatedSignalChangesNothing() {
        controller.request(OptionalInt.of(SIGTERM));
        clock.advance(Duration.ofSeconds(1));
        controller.request(OptionalInt.of(2));

        ShutdownReport report = controller.shutdown("serve_exit");

        assertThat(report.signal()).hasValue(SIGTERM);
        assertThat(controller.snapshot().signalToRelease()).contains(Duration.ofSeconds(1));
    }

    @Test
    void aSlowDrainComesAfterTheRelease() throws Exception {
        CountDownLatch blockedExecutor = new CountDownLatch(1);
        controller.shutdown("serve_exit");
        CompletableFuture<DrainReport> draining = TestThreads.run(
                "drainer",
                () -> controller.drain(List.of(new DrainStep("executor", Duration.ofSeconds(20), bound -> {
                    TestThreads.await(blockedExecutor);
                    return true;
                }))));
        await().until(() -> controller.phase() == ShutdownPhase.DRAINING_NON_WRITERS);

        assertThat(lease.releases()).isOne();
        blockedExecutor.countDown();
        assertThat(TestThreads.result(draining).leftovers()).isEmpty();
    }

    @Test
    void drainBeforeTheLeaseWasDealtWithIsRefused() {
        controller.request(OptionalInt.empty());

        assertThatThrownBy(() -> controller.drain(List.of())).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aDrainStepThatHangsOrFailsIsLeftBehindAndNamed() {
        CountDownLatch never = new CountDownLatch(1);
        controller.shutdown("serve_exit");

        DrainReport report = controller.drain(List.of(
                new DrainStep("hangs", Duration.ofMillis(10), bound -> {
                    never.await();
                    return true;
                }),
                new DrainStep("fails", Duration.ofMillis(10), bound -> {
                    throw new IllegalStateException("cannot stop");
                }),
                new DrainStep("survives", Duration.ofMillis(10), bound -> false),
                new DrainStep("stops", Duration.ofMillis(10), bound -> true)));

        assertThat(report.leftovers()).containsExactly("hangs", "fails", "survives");
        assertThat(controller.phase()).isEqualTo(ShutdownPhase.COMPLETE);
    }

    @Test
    void aHeartbeatThatDoesNotStopKeepsTheLeaseWithAFailure() {
        lease.stoppingHeartbeat(waiting -> false);

        ShutdownReport report = controller.shutdown("serve_exit");

        assertThat(report.lease()).contains(LeasePort.Outcome.FAILURE);
        assertThat(report.released()).isFalse();
        assertThat(lease.releases()).isZero();
        assertThat(events.only("lease_release").fields())
                .containsEntry("outcome", "heartbeat_stop_timeout")
                .containsEntry("released", false);
        assertThat(controller.phase()).isEqualTo(ShutdownPhase.LEASE_RELEASE_FAILED);
    }

    @Test
    void aReleaseThatThrowsIsAFailureWithoutItsText() {
        lease.answering(deadline -> {
            throw new IllegalStateException("jdbc:postgresql://u:password@db");
        });

        ShutdownReport report = controller.shutdown("serve_exit");

        assertThat(report.lease()).contains(LeasePort.Outcome.FAILURE);
        assertThat(events.only("lease_release").toJson())
                .contains("\"outcome\":\"failure\"", "\"error\":\"IllegalStateException\"")
                .doesNotContain("password");
        assertThat(controller.snapshot().releaseAttempts()).isOne();
    }

    @Test
    void everyOutcomeOfTheLeaseHasItsPhase() {
        Map<LeasePort.Outcome, ShutdownPhase> phases = Map.of(
                LeasePort.Outcome.SUCCESS, ShutdownPhase.LEASE_RELEASED,
                LeasePort.Outcome.NOT_HELD, ShutdownPhase.LEASE_RELEASED,
                LeasePort.Outcome.UNSUPPORTED, ShutdownPhase.LEASE_RELEASED,
                LeasePort.Outcome.FAILURE, ShutdownPhase.LEASE_RELEASE_FAILED,
                LeasePort.Outcome.TIMEOUT, ShutdownPhase.LEASE_RELEASE_TIMED_OUT);

        phases.forEach((outcome, phase) -> {
            lease.answering(deadline -> outcome);
            ShutdownController fresh = controller(ShutdownConfig.defaults());
            assertThat(fresh.shutdown("graceful").lease()).contains(outcome);
            assertThat(fresh.phase()).isEqualTo(phase);
        });
    }

    @Test
    void theReleaseGetsItsOwnDeadline() {
        AtomicReference<Duration> given = new AtomicReference<>();
        lease.answering(deadline -> {
            given.set(deadline.remaining());
            return LeasePort.Outcome.SUCCESS;
        });
        ShutdownController quick = controller(ShutdownConfig.defaults().withLeaseReleaseTimeout(Duration.ofSeconds(7)));

        quick.shutdown("graceful");

        assertThat(given.get()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void workInProgressIsCancelledBeforeTheBarrierAndAFailingCallbackDoesNotStopTheShutdown() {
        AtomicReference<ShutdownPhase> seen = new AtomicReference<>();
        controller.begun().onCancel(() -> {
            seen.set(controller.phase());
            throw new IllegalStateException("callback");
        });

        ShutdownReport report = controller.shutdown("serve_exit");

        assertThat(seen.get()).isEqualTo(ShutdownPhase.QUIESCING_WRITERS);
        assertThat(report.released()).isTrue();
    }

    @Test
    void eventsThatCannotBeToldDoNotStopTheShutdown() {
        ShutdownController mute = new ShutdownController(ShutdownConfig.defaults(), lease, clock, event -> {
            throw new IllegalStateException("log pipe is gone");
        });

        assertThat(mute.shutdown("serve_exit").released()).isTrue();
        assertThat(mute.drain(List.of()).leftovers()).isEmpty();
    }

    @Test
    void theStopSignalIsRaisedByARequestAndByAShutdown() throws Exception {
        assertThat(controller.stopSignal().requested()).isFalse();
        assertThat(controller.stopSignal().await(Duration.ofMillis(1))).isFalse();
        CompletableFuture<Boolean> waiter =
                TestThreads.run("loop", () -> controller.stopSignal().await(Duration.ofSeconds(20)));

        controller.request(OptionalInt.empty());

        assertThat(TestThreads.result(waiter)).isTrue();
        ShutdownController direct = controller(ShutdownConfig.defaults());
        direct.shutdown("graceful");
        assertThat(direct.stopSignal().requested()).isTrue();
    }

    @Test
    void aFatalShutdownIsQuietAndUsesAFreshConnection() {
        Optional<ShutdownReport> report = controller.shutdownFatally(
                "watchdog_liveness", Deadline.after(Duration.ofSeconds(5), clock, "fatal"), Set.of());

        assertThat(report.flatMap(ShutdownReport::lease)).contains(LeasePort.Outcome.SUCCESS);
        assertThat(lease.calls()).containsExactly("stopHeartbeat", "releaseFreshConnection");
        assertThat(events.told()).isEmpty();
        assertThat(controller.begun().cancelled()).isFalse();
    }

    @Test
    void aFatalShutdownWaitsForAnOwnerThatIsAlreadyReleasing() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        lease.answering(deadline -> {
            TestThreads.await(answer);
            return LeasePort.Outcome.SUCCESS;
        });
        CompletableFuture<ShutdownReport> owner = TestThreads.run("owner", () -> controller.shutdown("serve_exit"));
        await().until(() -> controller.phase() == ShutdownPhase.RELEASING_LEASE);
        Deadline deadline = Deadline.after(Duration.ofSeconds(5), clock, "fatal");
        CompletableFuture<Optional<ShutdownReport>> fatal =
                TestThreads.run("fatal", () -> controller.shutdownFatally("watchdog_liveness", deadline, Set.of()));
        clock.advance(Duration.ofSeconds(5));

        assertThat(TestThreads.result(fatal)).isEmpty();
        answer.countDown();
        assertThat(TestThreads.result(owner).released()).isTrue();
        assertThat(lease.releases()).isOne();
    }

    @Test
    void aLeaseAcquiredTooLateIsRefused() {
        LeaseSlot slot = new LeaseSlot();
        ShutdownController early = new ShutdownController(ShutdownConfig.defaults(), slot, clock, events);
        early.shutdown("serve_startup_exit");

        assertThat(slot.acquired(lease)).isFalse();
        assertThat(events.only("lease_release").fields()).containsEntry("outcome", "unsupported");
    }

    @Test
    void aLeaseInTheSlotIsReleased() {
        LeaseSlot slot = new LeaseSlot();
        ShutdownController late = new ShutdownController(ShutdownConfig.defaults(), slot, clock, events);
        assertThat(slot.acquired(lease)).isTrue();
        assertThatThrownBy(() -> slot.acquired(lease)).isInstanceOf(IllegalStateException.class);

        late.shutdown("serve_exit");

        assertThat(lease.calls()).containsExactly("stopHeartbeat", "release");
    }

    @Test
    void anInterruptedOwnerStillReleasesAndKeepsItsFlag() {
        Thread.currentThread().interrupt();

        ShutdownReport report = controller.shutdown("serve_exit");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(report.released()).isTrue();
    }

    private ShutdownController controller(ShutdownConfig config) {
        return new ShutdownController(config, lease, clock, events);
    }
}
