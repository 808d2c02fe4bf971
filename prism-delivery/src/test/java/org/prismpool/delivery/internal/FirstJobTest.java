package org.prismpool.delivery.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.delivery.CurrentState;
import org.prismpool.delivery.CurrentWork;
import org.prismpool.delivery.DeliveryConfig;
import org.prismpool.delivery.DeliveryMetrics.FirstJobResult;
import org.prismpool.delivery.FirstJobOutcome;
import org.prismpool.delivery.Generations;
import org.prismpool.delivery.JobTarget.DisconnectReason;

/** First jobs on their pool: spec 07 §7.2, 02 §1.8; acceptance A23 to A25, traps 42, 54 to 59, 65. */
class FirstJobTest {

    private final CountDownLatch blocked = new CountDownLatch(1);
    private DeliveryRig rig = new DeliveryRig();

    @AfterEach
    void release() {
        blocked.countDown();
        rig.engine.close();
    }

    private void blockPreparation() {
        rig.work.beforePrepare = () -> {
            try {
                if (!blocked.await(30, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("never released");
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        };
    }

    private void awaitWritten(FakeTarget client, int jobs) {
        await("jobs of " + client.id).atMost(Duration.ofSeconds(10)).until(() -> {
            rig.engine.tick();
            return client.written.size() >= jobs;
        });
    }

    @Test
    void aFirstJobIsCleanAndCarriesTheCurrentWork() {
        FakeTarget client = rig.connect(1);

        assertThat(rig.engine.requestFirstJob(1)).isEqualTo(FirstJobOutcome.QUEUED);

        awaitWritten(client, 1);
        assertThat(client.last().clean()).isTrue();
        assertThat(client.last().id()).isEqualTo("prism-1");
        await().until(() -> rig.firstJobs(FirstJobResult.SENT) == 1);
        assertThat(rig.engine.requestFirstJob(1)).isEqualTo(FirstJobOutcome.ALREADY_SERVED);
    }

    @Test
    void anIneligibleConnectionIsNotQueued() {
        rig.connect(1).eligible = false;

        assertThat(rig.engine.requestFirstJob(1)).isEqualTo(FirstJobOutcome.NOT_ELIGIBLE);
        assertThat(rig.engine.requestFirstJob(99)).isEqualTo(FirstJobOutcome.NOT_ELIGIBLE);
    }

    @Test
    void twoHundredFiftyFirstJobsRunOnFourWorkersAndAllAreSent() {
        rig = new DeliveryRig(withFirstJobs(new DeliveryConfig.FirstJobs(4, 256, Duration.ofSeconds(30))));
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        rig.work.beforePrepare = () -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            running.decrementAndGet();
        };
        for (long id = 1; id <= 250; id++) {
            rig.connect(id);
            rig.engine.requestFirstJob(id);
        }

        await().atMost(Duration.ofSeconds(20)).until(() -> rig.firstJobs(FirstJobResult.SENT) == 250);

        assertThat(most.get()).isLessThanOrEqualTo(4);
        assertThat(rig.targets.values()).allMatch(target -> target.written.size() == 1);
    }

    @Test
    void theConnectionAboveTheBoundIsClosedAndTheOthersAreUntouched() {
        blockPreparation();
        for (long id = 1; id <= 128; id++) {
            rig.connect(id);
            assertThat(rig.engine.requestFirstJob(id)).isEqualTo(FirstJobOutcome.QUEUED);
        }
        FakeTarget late = rig.connect(129);

        assertThat(rig.engine.requestFirstJob(129)).isEqualTo(FirstJobOutcome.REJECTED);

        assertThat(late.disconnects).containsExactly(DisconnectReason.FIRST_JOB_QUEUE_FULL);
        assertThat(rig.rejected).isEqualTo(1);
        assertThat(rig.engine.stats().firstJobsPending()).isEqualTo(128);
        rig.targets.remove(129L);
        assertThat(rig.targets.values()).allMatch(target -> target.disconnects.isEmpty());
    }

    @Test
    void cancelledRequestsGiveTheirQueuePlacesBack() {
        blockPreparation();
        for (long id = 1; id <= 128; id++) {
            rig.connect(id);
            rig.engine.requestFirstJob(id);
        }
        await().until(() -> rig.engine.stats().firstJobsRunning() == 4);

        for (long id = 5; id <= 128; id++) {
            rig.engine.disconnected(id);
        }
        assertThat(rig.engine.stats().firstJobsQueued()).isZero();
        assertThat(rig.reclaimed).isEqualTo(124);
        for (long id = 205; id <= 328; id++) {
            rig.connect(id);
            assertThat(rig.engine.requestFirstJob(id)).isEqualTo(FirstJobOutcome.QUEUED);
        }
    }

    @Test
    void aReauthorizationInAFullQueueReplacesItsOwnRequest() {
        blockPreparation();
        for (long id = 1; id <= 128; id++) {
            rig.connect(id);
            rig.engine.requestFirstJob(id);
        }
        await().until(() -> rig.engine.stats().firstJobsRunning() == 4);
        FakeTarget queued = rig.client(100);
        queued.generations = new Generations(2, 0, "worker.100b");

        assertThat(rig.engine.requestFirstJob(100)).isEqualTo(FirstJobOutcome.REPLACED);

        assertThat(queued.disconnects).isEmpty();
        assertThat(rig.firstJobs(FirstJobResult.SUPERSEDED)).isEqualTo(1);
        blocked.countDown();
        awaitWritten(queued, 1);
        assertThat(queued.last().generations().worker()).isEqualTo("worker.100b");
    }

    @Test
    void aDifficultyChangeWhileTheOldRequestRunsGivesOneJobAtTheNewDifficulty() {
        blockPreparation();
        FakeTarget client = rig.connect(1);
        rig.engine.requestFirstJob(1);
        await().until(() -> rig.engine.stats().firstJobsRunning() == 1);
        client.generations = new Generations(1, 1, "worker.1");

        assertThat(rig.engine.requestFirstJob(1)).isEqualTo(FirstJobOutcome.REPLACED);
        assertThat(rig.engine.stats().firstJobsQueued())
                .as("no second queue place")
                .isZero();
        blocked.countDown();

        awaitWritten(client, 1);
        await().until(() -> rig.engine.stats().firstJobsPending() == 0);
        assertThat(client.written).hasSize(1);
        assertThat(client.last().generations().difficulty()).isEqualTo(1);
    }

    @Test
    void anEqualRequestIsJoined() {
        blockPreparation();
        rig.connect(1);
        rig.engine.requestFirstJob(1);

        assertThat(rig.engine.requestFirstJob(1)).isEqualTo(FirstJobOutcome.COALESCED);
        assertThat(rig.firstJobs(FirstJobResult.COALESCED)).isEqualTo(1);
    }

    @Test
    void aJobThatIsNotDeliverableForThirtySecondsClosesTheConnectionAndIsNeverSent() {
        FakeTarget client = rig.connect(1);
        rig.work.answer = Optional.of(new CurrentWork.NotNow<>("payout pending", false));
        rig.engine.requestFirstJob(1);

        rig.pass(Duration.ofMillis(29_900));
        assertThat(client.disconnects).isEmpty();
        rig.pass(Duration.ofMillis(1_100));

        assertThat(client.disconnects).containsExactly(DisconnectReason.FIRST_JOB_TIMEOUT);
        assertThat(rig.timedOut).isEqualTo(1);
        rig.work.answer = Optional.empty();
        await().until(() -> rig.engine.stats().firstJobsPending() == 0);
        assertThat(client.written).isEmpty();
    }

    @Test
    void aRefusedGateIsTriedAgainUntilItAdmits() {
        FakeTarget client = rig.connect(1);
        rig.work.gateFenced = true;
        rig.engine.requestFirstJob(1);
        await().until(() -> rig.work.prepared.get() >= 2);
        assertThat(client.disconnects).isEmpty();

        rig.work.gateFenced = false;

        awaitWritten(client, 1);
    }

    @Test
    void anObsoleteLiveTipAsksForOtherWork() {
        FakeTarget client = rig.connect(1);
        rig.work.live = CurrentWork.LiveTip.OBSOLETE;
        rig.engine.requestFirstJob(1);
        await().until(() -> rig.work.prepared.get() >= 2);
        assertThat(client.written).isEmpty();

        rig.work.live = CurrentWork.LiveTip.PUBLISHED_AUTHORITY;

        awaitWritten(client, 1);
    }

    @Test
    void aFanoutThatServesTheConnectionEndsItsWait() {
        blockPreparation();
        for (long id = 1; id <= 5; id++) {
            rig.connect(id);
            rig.engine.requestFirstJob(id);
        }
        await().until(() -> rig.engine.stats().firstJobsRunning() == 4);

        rig.fanOut();

        assertThat(rig.firstJobs(FirstJobResult.SENT)).as("the queued one").isEqualTo(1);
        blocked.countDown();
        await().until(() -> rig.firstJobs(FirstJobResult.SENT) == 5);
        assertThat(rig.targets.values()).allMatch(target -> target.written.size() == 1);
    }

    @Test
    void aRequestThatNewerEpochsFencedOutCompletes() {
        FakeTarget client = rig.connect(1);
        rig.work.epoch = Optional.of(new CurrentState.Epoch(9, "A", 5));
        rig.fanOut();
        client.generations = new Generations(2, 0, "worker.1");
        rig.work.epoch = Optional.of(new CurrentState.Epoch(8, "A", 5));

        rig.engine.requestFirstJob(1);

        await().until(() -> rig.engine.stats().firstJobsPending() == 0);
        assertThat(client.written).hasSize(1);
        assertThat(client.disconnects).isEmpty();
    }

    @Test
    void aDisconnectWhileTheJobIsPreparedSendsNothing() {
        blockPreparation();
        FakeTarget client = rig.connect(1);
        rig.engine.requestFirstJob(1);
        await().until(() -> rig.engine.stats().firstJobsRunning() == 1);

        rig.engine.disconnected(1);
        blocked.countDown();

        await().until(() -> rig.engine.stats().firstJobsRunning() == 0);
        assertThat(client.written).isEmpty();
        assertThat(rig.engine.stats().firstJobsPending()).isZero();
    }

    @Test
    void aFanoutGoesOnWhileEveryFirstJobWorkerIsBlocked() {
        rig.served(50);
        blockPreparation();
        for (long id = 101; id <= 228; id++) {
            rig.connect(id);
            rig.engine.requestFirstJob(id);
        }
        rig.publish("B");

        assertThat(rig.fanOut().sent()).isEqualTo(178);
    }

    private static DeliveryConfig withFirstJobs(DeliveryConfig.FirstJobs firstJobs) {
        DeliveryConfig defaults = DeliveryConfig.defaults();
        return new DeliveryConfig(firstJobs, defaults.bounds(), defaults.retention(), defaults.jobs());
    }
}
