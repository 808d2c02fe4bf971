package org.prismpool.refresh.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.refresh.internal.RefreshRig.A;
import static org.prismpool.refresh.internal.RefreshRig.B;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.prismpool.refresh.FailureKind;
import org.prismpool.refresh.RefreshMetrics.GenerationOutcome;
import org.prismpool.refresh.TimeoutLabel;
import org.prismpool.refresh.WaveOutcome;
import org.prismpool.refresh.WorkBuilder;
import org.prismpool.refresh.WorkMode;

/** A pool that collects: spec 07 §3.9, A21, A22, traps 67, 70. */
class CollectionTest {

    private static RefreshRig collecting(int clients) {
        RefreshRig rig = new RefreshRig();
        rig.ready = false;
        return rig.settled(clients);
    }

    @Test
    void everyWorkerGetsItsOwnBundleOneAtATimeWithATrustCheckEach() {
        RefreshRig rig = collecting(3);
        rig.chain.mine(B);
        int trust = rig.chain.trustCalls;

        rig.engine.attemptNow();

        assertThat(rig.builder.builds).hasSize(3).allMatch(build -> build.mode() == WorkMode.COLLECTION);
        assertThat(rig.fanout.orders.get(rig.fanout.orders.size() - 1).maxInFlight())
                .isEqualTo(1);
        assertThat(rig.fanout.sent).hasSize(3);
        assertThat(rig.chain.trustCalls - trust)
                .as("one before each, one after all")
                .isEqualTo(4);
        assertThat(rig.waves).containsExactly(WaveOutcome.COMPLETED);
    }

    @Test
    void workWithoutAReceiverIsRetainedAndTheNextAuthorizationTriggersIt() {
        RefreshRig rig = collecting(0);
        rig.chain.mine(B);
        rig.engine.attemptNow();
        assertThat(rig.engine.authority().retainedCollection()).isPresent();
        assertThat(rig.engine.refreshPending()).isFalse();
        int templates = rig.chain.templateCalls;

        rig.fanout.connect(1);
        rig.engine.clientEligible();
        rig.driveUntil(rig.time.now().plusMillis(1));

        assertThat(rig.fanout.job(1).work().parent()).isEqualTo(B);
        assertThat(rig.chain.templateCalls).isEqualTo(templates);
    }

    @Test
    void retainedWorkGoesWithATipAPayoutTheReadinessLatchOrItsDelivery() {
        RefreshRig byTip = collecting(0);
        byTip.chain.mine(B);
        byTip.engine.attemptNow();
        byTip.fanout.connect(1);
        byTip.chain.mine(FakeChain.hash(77));
        byTip.engine.attemptNow();
        assertThat(byTip.engine.authority().retainedCollection()).isEmpty();

        RefreshRig byPayout = collecting(0);
        byPayout.gate.publish(6);
        byPayout.engine.payoutPublished(byPayout.gate.current());
        assertThat(byPayout.engine.authority().retainedCollection()).isEmpty();

        RefreshRig byLatch = collecting(0);
        byLatch.engine.poolReady();
        assertThat(byLatch.engine.authority().retainedCollection()).isEmpty();

        RefreshRig byDelivery = collecting(0);
        byDelivery.engine.collectionDelivered(
                byDelivery.engine.authority().work().orElseThrow().snapshot());
        assertThat(byDelivery.engine.authority().retainedCollection()).isEmpty();
    }

    @Test
    void clientsOfACollectingPoolGetReadyWorkOnceItIsReady() {
        RefreshRig rig = collecting(3);
        rig.chain.mine(B);
        rig.engine.attemptNow();

        rig.ready = true;
        rig.engine.poolReady();
        rig.driveUntil(rig.time.now().plusMillis(1));

        assertThat(rig.fanout.clients.values())
                .allMatch(job -> job.orElseThrow().work().mode() == WorkMode.READY);
    }

    @Test
    void aPoolThatBecomesReadyDuringAPassGetsReadyWorkFromTheRetry() {
        RefreshRig rig = collecting(3);
        rig.chain.mine(B);
        rig.gate.beforeSection = () -> {
            rig.gate.beforeSection = () -> {};
            rig.ready = true;
            rig.engine.poolReady();
        };

        rig.engine.attemptNow();
        rig.driveUntil(rig.time.now().plusSeconds(3));

        assertThat(rig.fanout.clients.values())
                .allMatch(job -> job.orElseThrow().work().mode() == WorkMode.READY
                        && job.orElseThrow().work().parent().equals(B));
        assertThat(rig.engine.refreshPending()).isFalse();
    }

    @Test
    void aPayoutGenerationThatMovesBetweenTwoBuildsSupersedesThePass() {
        RefreshRig rig = collecting(3);
        rig.chain.mine(B);
        rig.builder.whileBuilding = () -> {
            if (rig.builder.builds.size() == 2) {
                rig.gate.publish(6);
            }
        };

        rig.engine.attemptNow();

        assertThat(rig.fanout.sent).isEmpty();
        assertThat(rig.waves).containsExactly(WaveOutcome.FANOUT_SUPERSEDED);
        assertThat(rig.generations(GenerationOutcome.SUPERSEDED)).isZero();
    }

    @Test
    void ifEveryBuildFailsTheAttemptFails() {
        RefreshRig rig = collecting(2);
        rig.chain.mine(B);
        rig.builder.failure =
                new WorkBuilder.NotBuilt<>(FailureKind.BLOCKED, TimeoutLabel.REFRESH, "address is not payable");

        rig.engine.attemptNow();

        assertThat(rig.waves).containsExactly(WaveOutcome.ERROR);
        assertThat(rig.engine.ages().failureAge()).isPresent();
    }

    @Test
    void aNewTipDuringTheBuildsStopsThem() {
        RefreshRig rig = collecting(3);
        rig.builder.takes = Duration.ofSeconds(1);
        rig.chain.mine(B);
        rig.time.in(Duration.ofMillis(1_500), () -> {
            rig.chain.mine(FakeChain.hash(77));
            rig.engine.observe(FakeChain.hash(77), rig.engine.reserveObservation());
        });

        rig.engine.attemptNow();

        assertThat(rig.builder.builds).hasSize(2);
        assertThat(rig.fanout.sent).isEmpty();
        assertThat(rig.publishedTip()).isNotEqualTo(A);
    }
}
