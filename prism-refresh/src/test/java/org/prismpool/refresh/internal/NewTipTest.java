package org.prismpool.refresh.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.refresh.internal.RefreshRig.A;
import static org.prismpool.refresh.internal.RefreshRig.B;
import static org.prismpool.refresh.internal.RefreshRig.C;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.prismpool.refresh.ChainTip;
import org.prismpool.refresh.RefreshMetrics.GenerationOutcome;
import org.prismpool.refresh.TimeoutLabel;
import org.prismpool.refresh.WaveOutcome;

/** A ready pool and new tips: acceptance A1 to A6, A15 to A18 of spec 07. */
class NewTipTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void aNewTipIsBuiltOnceAndSentToEveryone() {
        RefreshRig rig = new RefreshRig().settled(100);
        int templates = rig.chain.templateCalls;
        rig.chain.mine(B);

        rig.engine.attemptNow();

        assertThat(rig.builder.builds).hasSize(1);
        assertThat(rig.fanout.sent)
                .hasSize(100)
                .allMatch(job -> job.work().parent().equals(B));
        assertThat(rig.chain.templateCalls - templates).isEqualTo(1);
        assertThat(rig.publishedTip()).isEqualTo(B);
        assertThat(rig.waves).containsExactly(WaveOutcome.COMPLETED);
        assertThat(rig.engine.refreshPending()).isFalse();
    }

    @Test
    void theNumberOfCallsToTheNodeDoesNotDependOnTheNumberOfClients() {
        int[] calls = new int[2];
        for (int i = 0; i < 2; i++) {
            RefreshRig rig = new RefreshRig().settled(i == 0 ? 10 : 100);
            int before = rig.chain.trustCalls + rig.chain.bestHashCalls;
            rig.chain.mine(B);
            rig.engine.attemptNow();
            calls[i] = rig.chain.trustCalls + rig.chain.bestHashCalls - before;
        }

        assertThat(calls[0]).isEqualTo(calls[1]).isPositive();
    }

    @Test
    void aFingerprintChangeOnTheSameTipIsSentToEveryone() {
        RefreshRig rig = new RefreshRig().settled(100);
        rig.chain.content = "one transaction";
        rig.time.pass(Duration.ofSeconds(3));

        rig.engine.attemptNow();

        assertThat(rig.fanout.sent).hasSize(100);
        assertThat(rig.published.get(1).flipNanos()).isEmpty();
    }

    @Test
    void aClockOnlyChangeSendsNothingAndClearsEverything() {
        RefreshRig rig = new RefreshRig().settled(100);
        rig.chain.down = true;
        rig.engine.attemptNow();
        rig.chain.down = false;
        rig.time.pass(Duration.ofSeconds(3));

        rig.engine.attemptNow();

        assertThat(rig.fanout.sent).isEmpty();
        assertThat(rig.builder.builds).isEmpty();
        assertThat(rig.engine.ages().failureAge()).isEmpty();
        assertThat(rig.waves).containsExactly(WaveOutcome.COMPLETED);
    }

    @Test
    void aTipThatMovesDuringTheBuildStopsItAndOnlyTheNewTipIsPublished() {
        RefreshRig rig = new RefreshRig().settled(3);
        rig.builder.takes = Duration.ofSeconds(2);
        rig.chain.mine(B);
        rig.time.in(SECOND, () -> {
            rig.chain.mine(C);
            rig.engine.observe(C, rig.engine.reserveObservation());
        });

        rig.engine.attemptNow();

        assertThat(rig.publishedTip()).isEqualTo(A);
        assertThat(rig.fanout.sent).isEmpty();
        assertThat(rig.waves).containsExactly(WaveOutcome.BUILD_SUPERSEDED);
        assertThat(rig.generations(GenerationOutcome.SUPERSEDED)).isEqualTo(1);
        assertThat(rig.builder.running()).isZero();

        Duration failed = rig.time.now();
        rig.driveUntil(failed.plus(SECOND));

        assertThat(rig.attempts.get(0)).as("the new tip releases the holdoff").isEqualTo(failed);
        assertThat(rig.publishedTip()).isEqualTo(C);
        assertThat(rig.fanout.sent)
                .hasSize(3)
                .allMatch(job -> job.work().parent().equals(C));
    }

    @Test
    void ofThreeTipsInTenMillisecondsOnlyTheLastIsDelivered() {
        RefreshRig rig = new RefreshRig().settled(5);
        rig.builder.takes = Duration.ofMillis(500);
        for (int tip = 1; tip <= 3; tip++) {
            int number = 100 + tip;
            rig.time.in(Duration.ofMillis(5L * tip), () -> {
                rig.chain.mine(FakeChain.hash(number));
                rig.engine.observe(FakeChain.hash(number), rig.engine.reserveObservation());
                assertThat(rig.builder.running()).isLessThanOrEqualTo(2);
            });
        }

        rig.driveUntil(Duration.ofSeconds(5));

        assertThat(rig.builder.builds).as("retries are coalesced").hasSizeLessThanOrEqualTo(3);
        assertThat(rig.fanout.sent)
                .hasSize(5)
                .allMatch(job -> job.work().parent().equals(FakeChain.hash(103)));
    }

    @Test
    void aTipThatMovesDuringTheTemplateFetchIsRecordedAndRetriedWithoutHoldoff() {
        RefreshRig rig = new RefreshRig().settled(2);
        rig.chain.mine(B);
        rig.chain.duringFetch = () -> {
            rig.chain.duringFetch = () -> {};
            rig.chain.mine(C);
        };

        rig.engine.attemptNow();

        assertThat(rig.waves).containsExactly(WaveOutcome.BUILD_SUPERSEDED);
        assertThat(rig.engine.authority().newestKnownTip()).contains(C);
        Duration failed = rig.time.now();
        rig.driveUntil(failed.plus(Duration.ofMillis(1)));
        assertThat(rig.attempts).first().isEqualTo(failed);
        assertThat(rig.publishedTip()).isEqualTo(C);
    }

    @Test
    void anUntrustedChainViewPublishesNothing() {
        RefreshRig rig = new RefreshRig().settled(10);
        rig.chain.mine(B);
        rig.chain.trust = ChainTip.ChainTrust.no("headers ahead of blocks");

        rig.engine.attemptNow();

        assertThat(rig.fanout.sent).isEmpty();
        assertThat(rig.publishedTip()).isEqualTo(A);
        assertThat(rig.waves).containsExactly(WaveOutcome.TRUST_BLOCKED);
    }

    @Test
    void anUntrustedChainViewDuringTheFanoutStopsTheRest() {
        RefreshRig rig = new RefreshRig().settled(50);
        rig.chain.mine(B);
        rig.fanout.perSend = Duration.ofMillis(550);
        rig.fanout.afterEachSend = () -> {
            if (rig.fanout.sent.size() == 2) {
                rig.chain.trust = ChainTip.ChainTrust.no("initial block download");
            }
        };

        rig.engine.attemptNow();

        assertThat(rig.fanout.sent).hasSize(2);
        assertThat(rig.waves).containsExactly(WaveOutcome.TRUST_BLOCKED);
        assertThat(rig.publishedTip()).as("a publication is never rolled back").isEqualTo(B);
    }

    @Test
    void aPayoutGenerationThatMovesDuringTheBuildIsRebuiltInPlace() {
        RefreshRig rig = new RefreshRig().settled(4);
        rig.builder.takes = SECOND;
        rig.chain.mine(B);
        rig.time.in(Duration.ofMillis(500), () -> rig.gate.publish(6));

        rig.engine.attemptNow();

        assertThat(rig.builder.builds).hasSize(2);
        assertThat(rig.fanout.sent).hasSize(4).allMatch(job -> job.work().payoutGeneration() == 6);
        assertThat(rig.engine.ages().failureAge()).isEmpty();
        assertThat(rig.waves).containsExactly(WaveOutcome.COMPLETED);
    }

    @Test
    void aPayoutFenceBeforeThePublicationLeavesEverythingAsItWas() {
        RefreshRig rig = new RefreshRig().settled(4);
        var before = rig.engine.authority();
        rig.chain.mine(B);
        rig.builder.takes = SECOND;
        rig.time.in(SECOND, rig.gate::fence);

        rig.engine.attemptNow();

        assertThat(rig.engine.authority().published()).isEqualTo(before.published());
        assertThat(rig.engine.authority().work()).isEqualTo(before.work());
        assertThat(rig.fanout.sent).isEmpty();
        assertThat(rig.waves).containsExactly(WaveOutcome.BUILD_SUPERSEDED);
        assertThat(rig.ends).endsWith("SUPERSEDED");
        assertThat(rig.engine.ages().failureAge()).isEmpty();
        rig.gate.publish(6);
        rig.driveUntil(rig.time.now().plusMillis(2_500)); // the holdoff, and one more build
        assertThat(rig.publishedTip()).as("the latched retry").isEqualTo(B);
    }

    @Test
    void aPayoutPublicationBetweenValidationAndSwapPublishesNothing() {
        RefreshRig rig = new RefreshRig().settled(4);
        rig.chain.mine(B);
        rig.chain.duringTrust = () -> rig.gate.publish(6);

        rig.engine.attemptNow();

        assertThat(rig.publishedTip()).isEqualTo(A);
        assertThat(rig.waves).containsExactly(WaveOutcome.BUILD_SUPERSEDED);
    }

    @Test
    void aDetectionInsideTheGateBeatsThePublication() {
        RefreshRig rig = new RefreshRig().settled(4);
        rig.chain.mine(B);
        rig.gate.beforeSection = () -> {
            rig.gate.beforeSection = () -> {};
            rig.engine.observe(C, rig.engine.reserveObservation());
        };

        rig.engine.attemptNow();

        assertThat(rig.publishedTip()).isEqualTo(A);
        assertThat(rig.fanout.sent).isEmpty();
    }

    @Test
    void aGateThatNeverAdmitsTimesOutAfterFiveSeconds() {
        RefreshRig rig = new RefreshRig().settled(4);
        rig.chain.mine(B);
        rig.gate.busy = true;
        Duration started = rig.time.now();

        rig.engine.attemptNow();

        assertThat(rig.time.now().minus(started)).isBetween(Duration.ofSeconds(5), Duration.ofMillis(5100));
        assertThat(rig.timeouts(TimeoutLabel.PAYOUT_GATE)).isEqualTo(1);
        assertThat(rig.publishedTip()).isEqualTo(A);
    }

    @Test
    void aNewTipSeenWhileTheGateIsBusyEndsThePassAtOnce() {
        RefreshRig rig = new RefreshRig().settled(4);
        rig.chain.mine(B);
        rig.gate.busy = true;
        Duration started = rig.time.now();
        rig.time.in(Duration.ofMillis(120), () -> rig.chain.mine(C));

        rig.engine.attemptNow();

        assertThat(rig.time.now().minus(started)).isLessThan(Duration.ofMillis(250));
        assertThat(rig.waves).containsExactly(WaveOutcome.BUILD_SUPERSEDED);
        assertThat(rig.engine.authority().newestKnownTip()).contains(C);
    }

    @Test
    void aTemplateThatGivesNoExactWorkIsAGenuineFailure() {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.chain.mine(B);
        rig.chain.unusable = true;

        rig.engine.attemptNow();

        assertThat(rig.waves).containsExactly(WaveOutcome.ERROR);
        assertThat(rig.engine.ages().failureAge()).isPresent();
    }
}
