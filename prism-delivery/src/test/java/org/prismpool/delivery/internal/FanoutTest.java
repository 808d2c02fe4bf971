package org.prismpool.delivery.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.prismpool.delivery.DeliveryMetrics.Stage;
import org.prismpool.delivery.FanoutCall;
import org.prismpool.delivery.FanoutSummary;
import org.prismpool.delivery.IssuedJob;
import org.prismpool.delivery.JobTarget.DisconnectReason;
import org.prismpool.lifecycle.time.Deadline;

/** Fan-outs: spec 07 §3.8, §7.3, §7.7; acceptance A1, A2, A14, A16, A44. */
class FanoutTest {

    @Test
    void aNewTipReachesEveryoneAsACleanJob() {
        DeliveryRig rig = new DeliveryRig().served(100);
        rig.publish("B");

        FanoutSummary summary = rig.fanOut();

        assertThat(summary.sent()).isEqualTo(100);
        assertThat(summary.end()).isEqualTo(FanoutSummary.End.COMPLETE);
        assertThat(rig.targets.values()).allSatisfy(target -> {
            assertThat(target.last().clean()).isTrue();
            assertThat(target.last().key().tip()).isEqualTo("B");
        });
    }

    @Test
    void aTemplateChangeOnTheSameTipIsNotCleanAndOldJobsStayValid() {
        DeliveryRig rig = new DeliveryRig().served(100);
        String oldJob = rig.client(7).last().id();
        rig.work.fingerprint = "f2";
        rig.work.nextGeneration();

        FanoutSummary summary = rig.fanOut();

        assertThat(summary.sent()).isEqualTo(100);
        assertThat(rig.client(7).last().clean()).isFalse();
        assertThat(rig.engine.find(7, oldJob, "worker.7")).isPresent();
    }

    @Test
    void aChangedPayoutGenerationDigestOrAppendEpochIsClean() {
        DeliveryRig rig = new DeliveryRig().served(1);
        FakeTarget client = rig.client(1);

        rig.work.payout = 6;
        rig.fanOut();
        assertThat(client.last().clean()).isTrue();
        rig.work.digest = "repaired";
        rig.fanOut();
        assertThat(client.last().clean()).isTrue();
        rig.work.appendEpoch = 1;
        rig.fanOut();
        assertThat(client.last().clean()).isTrue();
        assertThat(client.written).hasSize(4);
    }

    @Test
    void theFastestStaleClientIsServedBeforeTheOthersAndNewcomersLast() {
        DeliveryRig rig = new DeliveryRig().served(3);
        rig.client(2).hashrate = 10_000_000_000_000L;
        rig.connect(4).hashrate = Long.MAX_VALUE;
        rig.publish("B");

        rig.fanOut();

        List<IssuedJob<?>> order = rig.proofs.subList(3, 7);
        assertThat(order.get(0).connectionId()).isEqualTo(2);
        assertThat(order.get(3).connectionId()).isEqualTo(4);
    }

    @Test
    void aClientWhoseLoopIsStuckIsLeftOutAfterTwoSecondsAndHarmsNobody() {
        DeliveryRig rig = new DeliveryRig().served(20);
        FakeTarget stuck = rig.client(7);
        stuck.loopStuck = true;
        rig.publish("B");
        rig.onProgress = () -> rig.pass(Duration.ofMillis(100));

        FanoutSummary summary = rig.fanOut();

        assertThat(summary.sent()).isEqualTo(19);
        assertThat(summary.skipped()).isEqualTo(1);
        assertThat(summary.busy()).isEqualTo(1);
        assertThat(rig.cancelledAt(Stage.CLIENT_LOCK)).isEqualTo(1);
        assertThat(rig.work.inside).as("nobody stays inside the payout gate").hasValue(0);

        rig.onProgress = () -> {};
        stuck.runLoop();
        assertThat(stuck.written)
                .as("a delivery that was given up commits nothing")
                .hasSize(1);
        assertThat(rig.fanOut().sent()).as("the retry serves it").isEqualTo(1);
        assertThat(stuck.last().key().tip()).isEqualTo("B");
    }

    @Test
    void aSlotThatIsHeldLongerThanASendMayTakeRetiresTheConnection() {
        DeliveryRig rig = new DeliveryRig().served(2);
        FakeTarget stuck = rig.client(2);
        stuck.loopStuck = true;
        rig.publish("B");
        rig.onProgress = () -> rig.pass(Duration.ofMillis(500));
        rig.fanOut();
        rig.onProgress = () -> {};

        rig.pass(Duration.ofSeconds(19));

        assertThat(stuck.disconnects).containsExactly(DisconnectReason.DELIVERY_STUCK);
        assertThat(rig.client(1).disconnects).isEmpty();
    }

    @Test
    void aSecondDeliveryWaitsForTheSlotAndIsLeftOutToo() {
        DeliveryRig rig = new DeliveryRig().served(2);
        rig.client(2).loopStuck = true;
        rig.publish("B");
        rig.onProgress = () -> rig.pass(Duration.ofMillis(500));
        rig.fanOut();

        FanoutSummary second = rig.fanOut();

        assertThat(second.busy()).isEqualTo(1);
        assertThat(second.sent()).isZero();
    }

    @Test
    void anUnsentPairLeavesThePayoutGateAndItsProofFollowsWithTheBytes() {
        DeliveryRig rig = new DeliveryRig().served(2);
        FakeTarget slow = rig.client(2);
        slow.kernelFull = true;
        rig.publish("B");
        int proofs = rig.proofs.size();
        rig.onProgress = () -> rig.pass(Duration.ofMillis(200));

        FanoutSummary summary = rig.fanOut();

        assertThat(summary.sent()).isEqualTo(1);
        assertThat(summary.busy()).isEqualTo(1);
        assertThat(rig.work.inside).hasValue(0);
        assertThat(rig.proofs).hasSize(proofs + 1);
        slow.flush();
        assertThat(rig.proofs).hasSize(proofs + 2);
    }

    @Test
    void anUnsentPairIsDroppedOnceItsWorkIsStaleAndTheClientIsSelectedAgain() {
        DeliveryRig rig = new DeliveryRig().served(1);
        FakeTarget slow = rig.client(1);
        slow.kernelFull = true;
        rig.publish("B");
        rig.onProgress = () -> rig.pass(Duration.ofMillis(200));
        rig.fanOut();
        rig.onProgress = () -> {};
        rig.work.payout = 6;

        slow.flush();

        assertThat(slow.written).hasSize(1);
        assertThat(rig.fanOut().sent()).isEqualTo(1);
    }

    @Test
    void anUnsentPairOlderThanASendMayTakeRetiresTheConnection() {
        DeliveryRig rig = new DeliveryRig().served(1);
        rig.client(1).kernelFull = true;
        rig.publish("B");
        rig.onProgress = () -> rig.pass(Duration.ofMillis(200));
        rig.fanOut();

        rig.pass(Duration.ofSeconds(19));

        assertThat(rig.client(1).disconnects).containsExactly(DisconnectReason.DELIVERY_STUCK);
    }

    @Test
    void aDisconnectDoesNotWaitForAnUnsentPair() {
        DeliveryRig rig = new DeliveryRig().served(2);
        rig.client(2).kernelFull = true;
        rig.publish("B");
        int[] rounds = {0};
        rig.onProgress = () -> {
            if (++rounds[0] == 2) {
                rig.engine.disconnected(2);
            }
            rig.pass(Duration.ofMillis(200));
        };

        assertThat(rig.fanOut().sent()).isEqualTo(1);

        assertThat(rig.engine.stats().connections()).isEqualTo(1);
        assertThat(rig.engine.stats().activeJobs()).isEqualTo(1);
        assertThat(rig.work.inside).hasValue(0);
    }

    @Test
    void aBrokenSocketRetiresItsClientOnly() {
        DeliveryRig rig = new DeliveryRig().served(5);
        rig.client(3).socketBroken = true;
        rig.publish("B");

        FanoutSummary summary = rig.fanOut();

        assertThat(summary.sent()).isEqualTo(4);
        assertThat(summary.disconnected()).isEqualTo(1);
        assertThat(rig.client(3).disconnects).containsExactly(DisconnectReason.SEND_FAILED);
    }

    @Test
    void aStampThatFailsIsCountedAndTheOthersGoOn() {
        DeliveryRig rig = new DeliveryRig().served(3);
        rig.client(2).beforeStamp = () -> {
            throw new IllegalStateException("no difficulty");
        };
        rig.publish("B");

        FanoutSummary summary = rig.fanOut();

        assertThat(summary.failed()).isEqualTo(1);
        assertThat(summary.sent()).isEqualTo(2);
    }

    @Test
    void aStaleTokenStopsTheRest() {
        DeliveryRig rig = new DeliveryRig().served(50);
        rig.publish("B");
        rig.client(1).beforeStamp = () -> {};
        int[] stamped = {0};
        rig.targets
                .values()
                .forEach(target -> target.beforeStamp = () -> {
                    stamped[0]++;
                    rig.tokenCurrent = stamped[0] < 2;
                });

        FanoutSummary summary = rig.fanOut();

        assertThat(summary.end()).isEqualTo(FanoutSummary.End.CANCELLED);
        assertThat(summary.sent()).isEqualTo(2);
        assertThat(summary.skipped()).isEqualTo(48);
        assertThat(rig.cancelledAt(Stage.EXECUTOR_QUEUE)).isEqualTo(48);
    }

    @Test
    void aRefusingLiveCheckCancelsWhatIsQueuedWithinASecond() {
        DeliveryRig rig = new DeliveryRig().served(50);
        rig.targets.values().forEach(target -> target.loopStuck = target.id > 2);
        rig.publish("B");
        rig.liveRefusal = Optional.empty();
        rig.onProgress = () -> {
            rig.clock.advance(Duration.ofMillis(250));
            rig.engine.tick();
            if (rig.clock.nanoTime() > Duration.ofMillis(500).toNanos()) {
                rig.liveRefusal = Optional.of("initial block download");
            }
        };

        FanoutSummary summary = rig.fanOut();

        assertThat(summary.end()).isEqualTo(FanoutSummary.End.INVALIDATED);
        assertThat(summary.sent()).isLessThanOrEqualTo(2);
    }

    @Test
    void aFanoutEndsAtItsDeadlineAndCommitsNothingAfterwards() {
        DeliveryRig rig = new DeliveryRig().served(20);
        rig.targets.values().forEach(target -> target.loopStuck = true);
        rig.publish("B");
        rig.onProgress = () -> rig.pass(Duration.ofMillis(300));

        FanoutSummary summary = rig.run(rig.call(Duration.ofSeconds(1)));
        rig.targets.values().forEach(FakeTarget::runLoop);

        assertThat(summary.end()).isEqualTo(FanoutSummary.End.DEADLINE);
        assertThat(rig.targets.values()).allMatch(target -> target.written.size() == 1);
    }

    @Test
    void aFencedGateSkipsAndABusyGateIsAskedAgain() {
        DeliveryRig rig = new DeliveryRig().served(4);
        rig.publish("B");
        rig.work.gateWaits = true;
        rig.onProgress = () -> {
            rig.pass(Duration.ofMillis(50));
            rig.work.gateWaits = rig.clock.nanoTime() < Duration.ofSeconds(1).toNanos();
        };

        assertThat(rig.fanOut().sent()).isEqualTo(4);

        rig.publish("C");
        rig.work.gateFenced = true;
        FanoutSummary refused = rig.fanOut();
        assertThat(refused.skipped()).isEqualTo(4);
        assertThat(rig.cancelledAt(Stage.PAYOUT_GATE)).isEqualTo(4);
    }

    @Test
    void equallyNewWorkThatIntervenedIsLeftAlone() {
        DeliveryRig rig = new DeliveryRig().served(1);
        rig.publish("B");
        FanoutCall<String> captured = rig.call(Duration.ofSeconds(5));
        rig.fanOut();

        FanoutSummary late = rig.run(captured);

        assertThat(late.skipped()).isEqualTo(1);
        assertThat(rig.client(1).written).hasSize(2);
    }

    @Test
    void oneAtATimeNeverSubmitsBeforeTheOneBeforeIsHandedOver() {
        DeliveryRig rig = new DeliveryRig().served(3);
        rig.publish("B");
        rig.targets.values().forEach(target -> target.loopStuck = true);
        int[] most = {0};
        rig.onProgress = () -> {
            int posted = rig.targets.values().stream()
                    .mapToInt(target -> target.loop.size())
                    .sum();
            most[0] = Math.max(most[0], posted);
            rig.targets.values().forEach(target -> {
                target.runLoop();
                target.loopStuck = true;
            });
        };
        FanoutCall<String> all = rig.call(Duration.ofSeconds(5));

        FanoutSummary summary = rig.run(new FanoutCall<>(all.items(), 1, rig, rig.cancel, all.deadline()));

        assertThat(summary.sent()).isEqualTo(3);
        assertThat(most[0]).isEqualTo(1);
    }

    @Test
    void aFanoutStopsWhenDeliveryCloses() {
        DeliveryRig rig = new DeliveryRig().served(30);
        rig.targets.values().forEach(target -> target.loopStuck = true);
        rig.publish("B");
        rig.onProgress = rig.engine::close;

        FanoutSummary summary = rig.run(new FanoutCall<>(
                rig.call(Duration.ofSeconds(5)).items(),
                16,
                rig,
                rig.cancel,
                Deadline.after(Duration.ofSeconds(5), rig.clock, "test")));
        rig.targets.values().forEach(FakeTarget::runLoop);

        assertThat(summary.end()).isEqualTo(FanoutSummary.End.CLOSED);
        assertThat(rig.targets.values()).allMatch(target -> target.written.size() == 1);
    }
}
