package org.prismpool.delivery.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.delivery.CurrentWork;
import org.prismpool.delivery.DeliveryOutcome;
import org.prismpool.delivery.DirectCause;
import org.prismpool.delivery.IssuedJob;

/** Direct and keep-alive jobs: spec 07 §7.1, §7.5, 02 §5.4; acceptance A3b, A20, traps 51, 61. */
class DirectDeliveryTest {

    private final DeliveryRig rig = new DeliveryRig();

    @AfterEach
    void close() {
        rig.engine.close();
    }

    private DeliveryOutcome deliver(DirectCause cause) {
        CompletionStage<DeliveryOutcome> outcome = rig.engine.direct(1, cause);
        return outcome.toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
    }

    @Test
    void aVardiffStepUpIsNotCleanAndTheOldJobStaysValid() {
        rig.served(1);
        String old = rig.client(1).last().id();

        assertThat(deliver(DirectCause.VARDIFF_UP)).isEqualTo(DeliveryOutcome.SENT);

        assertThat(rig.client(1).last().clean()).isFalse();
        assertThat(rig.engine.find(1, old, "worker.1")).isPresent();
    }

    @Test
    void stepsDownAndExplicitChangesAreClean() {
        rig.served(1);

        for (DirectCause cause : new DirectCause[] {
            DirectCause.VARDIFF_DOWN,
            DirectCause.IDLE_VARDIFF_DOWN,
            DirectCause.DIFFICULTY_REQUEST,
            DirectCause.REAUTHORIZED
        }) {
            assertThat(deliver(cause)).isEqualTo(DeliveryOutcome.SENT);
            assertThat(rig.client(1).last().clean()).as(cause.name()).isTrue();
        }
    }

    @Test
    void workForAnotherTipThanTheAuthoritativePublishedOneIsDroppedAndARefreshIsWanted() {
        rig.served(1);
        rig.work.detected = "B";
        rig.work.answer = Optional.of(new CurrentWork.Ready<>(new org.prismpool.delivery.PreparedWork<>(
                new org.prismpool.delivery.WorkKey("B", "fb", 2, 5, "d5", 0, false, 0), "work on B")));

        assertThat(deliver(DirectCause.VARDIFF_UP)).isEqualTo(DeliveryOutcome.STALE);

        assertThat(rig.client(1).written).hasSize(1);
        assertThat(rig.refreshWanted).isEqualTo(1);
    }

    @Test
    void aRetargetDuringTheUnpublishedWindowGetsThePublishedTip() {
        rig.served(1);
        rig.work.detected = "B";

        assertThat(deliver(DirectCause.VARDIFF_UP)).isEqualTo(DeliveryOutcome.SENT);

        assertThat(rig.client(1).last().key().tip()).isEqualTo("A");
        assertThat(rig.work.askedWithPriority)
                .as("published work keeps its right to the first delivery")
                .isTrue();
    }

    @Test
    void aLapsedAuthorityNeedsTheNodesWord() {
        rig.served(1);
        rig.work.authoritative = false;
        rig.work.live = CurrentWork.LiveTip.OBSOLETE;

        assertThat(deliver(DirectCause.VARDIFF_UP)).isEqualTo(DeliveryOutcome.STALE);
        rig.work.live = CurrentWork.LiveTip.EXTENDS_BEST;
        assertThat(deliver(DirectCause.VARDIFF_UP)).isEqualTo(DeliveryOutcome.SENT);
    }

    @Test
    void aBuildFailureKeepsTheConnectionAndSendsNothing() {
        rig.served(1);
        rig.work.answer = Optional.of(new CurrentWork.NotNow<>("compiler failed", true));

        assertThat(deliver(DirectCause.VARDIFF_UP)).isEqualTo(DeliveryOutcome.NO_WORK);

        assertThat(rig.client(1).disconnects).isEmpty();
        assertThat(rig.client(1).written).hasSize(1);
    }

    @Test
    void aDigestThatChangesWhileTheLoopIsBusyRegistersNoStaleJob() {
        rig.served(1);
        FakeTarget client = rig.client(1);
        client.loopStuck = true;
        CompletionStage<DeliveryOutcome> outcome = rig.engine.direct(1, DirectCause.VARDIFF_UP);
        await().until(() -> !client.loop.isEmpty());

        rig.work.digest = "repaired";
        client.runLoop();

        assertThat(outcome.toCompletableFuture().join()).isEqualTo(DeliveryOutcome.STALE);
        assertThat(client.written).hasSize(1);
    }

    @Test
    void idleRetargetsAreBoundedAndYieldToAnUnpublishedTip() throws Exception {
        rig.served(12);
        CountDownLatch release = new CountDownLatch(1);
        rig.work.beforePrepare = () -> {
            try {
                if (!release.await(20, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("never released");
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        };
        for (long id = 1; id <= 8; id++) {
            rig.engine.direct(id, DirectCause.IDLE_VARDIFF_DOWN);
        }

        assertThat(rig.engine
                        .direct(9, DirectCause.IDLE_VARDIFF_DOWN)
                        .toCompletableFuture()
                        .get(60, TimeUnit.SECONDS))
                .isEqualTo(DeliveryOutcome.QUEUE_FULL);
        release.countDown();
        await().until(() -> rig.client(8).written.size() == 2);

        rig.work.detected = "B";
        await().until(() -> deliver(DirectCause.IDLE_VARDIFF_DOWN) == DeliveryOutcome.NOT_NEEDED);
    }

    @Test
    void aSilentChainGivesEveryConnectionItsWorkAgainAfterAMinute() {
        rig.served(3);
        rig.pass(Duration.ofSeconds(59));
        assertThat(rig.targets.values()).allMatch(target -> target.written.size() == 1);

        rig.pass(Duration.ofSeconds(2));

        await().until(() -> rig.targets.values().stream().allMatch(target -> target.written.size() == 2));
        for (FakeTarget client : rig.targets.values()) {
            IssuedJob<String> first = client.written.get(0);
            IssuedJob<String> again = client.last();
            assertThat(again.clean()).isFalse();
            assertThat(again.id()).isNotEqualTo(first.id());
            assertThat(again.key().fingerprint()).isEqualTo(first.key().fingerprint());
            assertThat(again.key().templateGeneration())
                    .isGreaterThan(first.key().templateGeneration());
            assertThat(rig.engine.find(client.id, first.id(), "worker." + client.id))
                    .isPresent();
        }
    }

    @Test
    void keepAliveYieldsToAnUnpublishedTip() {
        rig.served(1);
        rig.work.detected = "B";

        rig.pass(Duration.ofSeconds(65));

        assertThat(rig.client(1).written).hasSize(1);
    }
}
