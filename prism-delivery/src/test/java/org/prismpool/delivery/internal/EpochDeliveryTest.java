package org.prismpool.delivery.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.prismpool.delivery.CurrentState;
import org.prismpool.delivery.DeliveryOutcome;
import org.prismpool.delivery.FanoutCall;
import org.prismpool.delivery.FanoutSummary;
import org.prismpool.delivery.TargetView;

/** Epochs at the connection: spec 07 §3.8, A40 to A42, traps 66, 67. */
class EpochDeliveryTest {

    private static void epoch(DeliveryRig rig, long sequence) {
        rig.work.epoch = Optional.of(new CurrentState.Epoch(sequence, rig.work.tip, rig.work.payout));
    }

    @Test
    void aLateJobOfAnOlderEpochIsBelowTheFloorAlthoughEverythingElseIsCurrent() {
        DeliveryRig rig = new DeliveryRig();
        rig.connect(1);
        epoch(rig, 4);
        FanoutCall<String> late = rig.call(Duration.ofSeconds(5));
        epoch(rig, 5);
        rig.fanOut();

        FanoutSummary summary = rig.run(late);

        assertThat(summary.sent()).isZero();
        assertThat(summary.skipped()).isEqualTo(1);
        assertThat(rig.client(1).last().key().epoch()).isEqualTo(5);
    }

    @Test
    void anEqualEpochIsAdmittedAgain() {
        DeliveryRig rig = new DeliveryRig();
        rig.connect(1);
        epoch(rig, 5);
        rig.fanOut();

        assertThat(rig.engine
                        .direct(1, org.prismpool.delivery.DirectCause.VARDIFF_UP)
                        .toCompletableFuture()
                        .join())
                .isEqualTo(DeliveryOutcome.SENT);
        rig.engine.close();
    }

    @Test
    void aRegisteredJobWhoseBytesWereNotWrittenStillNeedsRefresh() {
        DeliveryRig rig = new DeliveryRig();
        rig.connect(1).socketBroken = true;
        epoch(rig, 5);

        rig.fanOut();

        rig.client(1).closing = false; // not yet taken out by its owner
        assertThat(rig.engine.select(rig.work.query())).singleElement().matches(TargetView::needsWork);
    }

    @Test
    void aCollectionJobDeliveredAfterTheLatchIsSelectedAgain() {
        DeliveryRig rig = new DeliveryRig();
        rig.connect(1);
        epoch(rig, 5);
        rig.work.ready = false;
        rig.fanOut();
        rig.work.ready = true;

        assertThat(rig.engine.select(rig.work.query())).singleElement().matches(TargetView::needsWork);
    }

    @Test
    void coverageMarksAreTakenWhenTheWeightOfTheCohortHasIt() {
        DeliveryRig rig = new DeliveryRig();
        long[] weights = {60, 30, 9, 1};
        for (int i = 0; i < 4; i++) {
            rig.connect(i + 1).hashrate = weights[i];
        }
        epoch(rig, 7);
        rig.engine.epochMinted(7);
        for (long id = 1; id <= 4; id++) {
            rig.clock.advance(Duration.ofSeconds(1));
            deliverTo(rig, id);
        }

        assertThat(rig.coverageNanos)
                .containsExactly(
                        Duration.ofSeconds(1).toNanos(),
                        Duration.ofSeconds(3).toNanos(),
                        Duration.ofSeconds(3).toNanos());
    }

    @Test
    void anEmptyCohortIsCoveredAtOnce() {
        DeliveryRig rig = new DeliveryRig();

        rig.engine.epochMinted(1);

        assertThat(rig.coverageNanos).containsExactly(0L, 0L, 0L);
    }

    @Test
    void workOfAnOlderEpochCoversNothing() {
        DeliveryRig rig = new DeliveryRig();
        rig.connect(1).hashrate = 10;
        epoch(rig, 7);
        FanoutCall<String> old = rig.call(Duration.ofSeconds(5));
        rig.engine.epochMinted(8);

        rig.run(old);

        assertThat(rig.coverageNanos).isEmpty();
    }

    private static void deliverTo(DeliveryRig rig, long id) {
        FanoutCall<String> all = rig.call(Duration.ofSeconds(5));
        rig.run(new FanoutCall<>(
                all.items().stream().filter(item -> item.connectionId() == id).toList(),
                16,
                rig,
                rig.cancel,
                all.deadline()));
    }
}
