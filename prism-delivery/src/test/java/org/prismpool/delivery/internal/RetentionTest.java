package org.prismpool.delivery.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.prismpool.delivery.DeliveryConfig;
import org.prismpool.delivery.FoundJob;
import org.prismpool.delivery.TipChange;

/** Retained jobs: spec 07 §7.6, 02 §7.4 and §7.5; acceptance A38, A39, traps 61, 71 to 73. */
class RetentionTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Gives one client a number of non-clean jobs; returns their ids, oldest first. */
    private static List<String> jobs(DeliveryRig rig, int count) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rig.work.fingerprint = "template " + i;
            rig.work.nextGeneration();
            rig.fanOut();
            ids.add(rig.client(1).last().id());
        }
        return ids;
    }

    private static DeliveryRig published(DeliveryRig rig) {
        rig.engine.tipPublished(new TipChange("A", Optional.empty(), OptionalLong.empty()));
        return rig;
    }

    @Test
    void theSeventeenthActiveJobMovesTheOldestToRetentionForThirtySeconds() {
        DeliveryRig rig = published(new DeliveryRig());
        rig.connect(1);
        List<String> ids = jobs(rig, 17);

        FoundJob<String> oldest = rig.engine.find(1, ids.get(0), "worker.1").orElseThrow();
        assertThat(oldest.source()).isEqualTo(FoundJob.Source.RETAINED);
        assertThat(oldest.sameTip()).isTrue();
        assertThat(rig.engine.find(1, ids.get(1), "worker.1").orElseThrow().source())
                .isEqualTo(FoundJob.Source.ACTIVE);

        rig.clock.advance(Duration.ofSeconds(30));
        assertThat(rig.engine.find(1, ids.get(0), "worker.1")).isPresent();
        rig.clock.advance(Duration.ofNanos(1));
        assertThat(rig.engine.find(1, ids.get(0), "worker.1")).isEmpty();
    }

    @Test
    void atMostSixtyFourSameTipJobsOfAConnectionAreRetained() {
        DeliveryRig rig = published(new DeliveryRig());
        rig.connect(1);

        List<String> ids = jobs(rig, 16 + 64 + 3);

        assertThat(rig.evictedConnection).isEqualTo(3);
        assertThat(rig.engine.find(1, ids.get(2), "worker.1")).isEmpty();
        assertThat(rig.engine.find(1, ids.get(3), "worker.1")).isPresent();
        assertThat(rig.engine.stats().retainedSameTip()).isEqualTo(64);
    }

    @Test
    void anotherConnectionOfTheSameWorkerMaySubmitAJobOfAClosedOne() {
        DeliveryRig rig = published(new DeliveryRig());
        rig.connect(1);
        String job = jobs(rig, 1).get(0);
        rig.connect(2);

        assertThat(rig.engine.find(2, job, "worker.1")).as("the owner is alive").isEmpty();
        rig.engine.disconnected(1);

        FoundJob<String> found = rig.engine.find(2, job, "worker.1").orElseThrow();
        assertThat(found.source()).isEqualTo(FoundJob.Source.CROSS_CONNECTION);
        assertThat(found.sameTip()).isTrue();
        assertThat(found.job().generations().worker()).isEqualTo("worker.1");
        assertThat(rig.engine.find(2, job, "somebody else")).isEmpty();
    }

    @Test
    void aDetachedJobOfAnOldTipIsFoundAsStaleAndNeverCredited() {
        DeliveryRig rig = published(new DeliveryRig());
        rig.connect(1);
        String job = jobs(rig, 1).get(0);
        rig.engine.disconnected(1);
        rig.publish("B");

        FoundJob<String> found = rig.engine.find(2, job, "worker.1").orElseThrow();

        assertThat(found.sameTip()).isFalse();
        assertThat(found.graceOpen()).isFalse();
    }

    @Test
    void detachedJobsAreBoundedPoolWideOldestOut() {
        DeliveryConfig defaults = DeliveryConfig.defaults();
        DeliveryRig rig = published(new DeliveryRig(new DeliveryConfig(
                defaults.firstJobs(),
                defaults.bounds(),
                new DeliveryConfig.Retention(Duration.ofSeconds(30), 64, 2, Duration.ofSeconds(3)),
                defaults.jobs())));
        rig.served(3);
        List<String> ids =
                rig.targets.values().stream().map(target -> target.last().id()).toList();

        for (long id = 1; id <= 3; id++) {
            rig.engine.disconnected(id);
        }

        assertThat(rig.evictedDisconnected).isEqualTo(1);
        assertThat(rig.engine.find(9, ids.get(0), "worker.1")).isEmpty();
        assertThat(rig.engine.find(9, ids.get(2), "worker.3")).isPresent();
    }

    @Test
    void withoutDisconnectedRetentionNothingSurvivesAConnection() {
        DeliveryConfig defaults = DeliveryConfig.defaults();
        DeliveryRig rig = published(new DeliveryRig(new DeliveryConfig(
                defaults.firstJobs(),
                defaults.bounds(),
                new DeliveryConfig.Retention(Duration.ofSeconds(30), 64, 0, Duration.ofSeconds(3)),
                defaults.jobs())));
        rig.served(1);
        String job = rig.client(1).last().id();

        rig.engine.disconnected(1);

        assertThat(rig.engine.find(2, job, "worker.1")).isEmpty();
        assertThat(rig.engine.stats().retainedSameTip()).isZero();
    }

    @Test
    void theGraceStaysOpenUntilThreeSecondsAfterTheConnectionGotNewWork() {
        DeliveryRig rig = published(new DeliveryRig());
        rig.connect(1);
        String job = jobs(rig, 1).get(0);
        rig.publish("B");
        rig.clock.advance(Duration.ofSeconds(60));

        assertThat(rig.engine.find(1, job, "worker.1").orElseThrow().graceOpen())
                .as("no work for the new tip yet")
                .isTrue();
        rig.fanOut();
        rig.clock.advance(Duration.ofSeconds(3));
        FoundJob<String> retained = rig.engine.find(1, job, "worker.1").orElseThrow();
        assertThat(retained.graceOpen()).isTrue();
        assertThat(retained.source()).isEqualTo(FoundJob.Source.RETAINED);
        rig.clock.advance(Duration.ofNanos(1));
        assertThat(rig.engine.find(1, job, "worker.1")).isEmpty();
    }

    @Test
    void theFirstTipOfAProcessOpensNoGrace() {
        DeliveryRig rig = new DeliveryRig();
        rig.connect(1);
        String job = jobs(rig, 1).get(0);
        rig.work.publish("B");

        rig.engine.tipPublished(new TipChange("B", Optional.of("A"), OptionalLong.empty()));

        assertThat(rig.engine.find(1, job, "worker.1").orElseThrow().graceOpen())
                .isFalse();
    }

    @Test
    void onlyTheChainParentsWorkIsGraced() {
        DeliveryRig rig = published(new DeliveryRig());
        rig.connect(1);
        String job = jobs(rig, 1).get(0);
        rig.work.publish("C");

        rig.engine.tipPublished(new TipChange("C", Optional.of("B"), OptionalLong.of(rig.clock.nanoTime())));

        assertThat(rig.engine.find(1, job, "worker.1").orElseThrow().graceOpen())
                .isFalse();
    }

    @Test
    void theParentIsTheChainsNotTheTipPolledBefore() {
        DeliveryRig rig = published(new DeliveryRig());
        rig.connect(1);
        String job = jobs(rig, 1).get(0);
        rig.work.publish("C");
        rig.fanOut();

        rig.engine.tipPublished(new TipChange("C", Optional.of("A"), OptionalLong.of(rig.clock.nanoTime())));

        assertThat(rig.engine.find(1, job, "worker.1").orElseThrow().graceOpen())
                .isTrue();
    }

    @Test
    void aSameTipJobBecomesAGraceJobWhenTheTipFlips() {
        DeliveryRig rig = published(new DeliveryRig());
        rig.connect(1);
        List<String> ids = jobs(rig, 17);
        assertThat(rig.engine.stats().retainedSameTip()).isEqualTo(1);

        rig.publish("B");

        assertThat(rig.engine.stats().retainedSameTip()).isZero();
        assertThat(rig.engine.stats().retainedStaleGrace()).isEqualTo(1);
        assertThat(rig.engine.find(1, ids.get(0), "worker.1").orElseThrow().graceOpen())
                .isTrue();
    }

    @Test
    void staleGraceOffDropsOldWorkAtOnce() {
        DeliveryConfig defaults = DeliveryConfig.defaults();
        DeliveryRig rig = published(new DeliveryRig(new DeliveryConfig(
                defaults.firstJobs(),
                defaults.bounds(),
                new DeliveryConfig.Retention(Duration.ofSeconds(30), 64, 16, Duration.ZERO),
                defaults.jobs())));
        rig.connect(1);
        List<String> ids = jobs(rig, 17);

        rig.publish("B");

        assertThat(rig.engine.find(1, ids.get(0), "worker.1")).isEmpty();
        assertThat(rig.engine.find(1, ids.get(16), "worker.1").orElseThrow().graceOpen())
                .isFalse();
    }

    @Test
    void pruningRunsAtMostOncePerSecondAndLookupsCheckExpiryThemselves() {
        DeliveryRig rig = published(new DeliveryRig());
        rig.connect(1);
        List<String> ids = jobs(rig, 17);

        rig.pass(Duration.ofSeconds(29));
        rig.clock.advance(SECOND.plusNanos(1));

        assertThat(rig.engine.find(1, ids.get(0), "worker.1")).isEmpty();
        assertThat(rig.engine.stats().retainedSameTip()).isEqualTo(1);
        rig.pass(SECOND);
        assertThat(rig.engine.stats().retainedSameTip()).isZero();
    }
}
