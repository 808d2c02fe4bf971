package org.prismpool.refresh.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.refresh.internal.RefreshRig.A;
import static org.prismpool.refresh.internal.RefreshRig.B;
import static org.prismpool.refresh.internal.RefreshRig.C;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.prismpool.refresh.FailureKind;
import org.prismpool.refresh.RefreshEpoch;
import org.prismpool.refresh.TimeoutLabel;
import org.prismpool.refresh.WaveOutcome;
import org.prismpool.refresh.WorkBuilder;

/** Epoch fan-out: spec 07 §3.1, §3.8; A4, A43, traps 63, 64, 66, 68. */
class EpochModeTest {

    private static RefreshRig rig(int clients) {
        return new RefreshRig(RefreshRig.epochMode()).settled(clients);
    }

    @Test
    void aTipThatMovesDuringTheBuildIsHandledByTheSameWave() {
        RefreshRig rig = rig(3);
        rig.builder.takes = Duration.ofMillis(500);
        rig.chain.mine(B);
        rig.time.in(Duration.ofMillis(100), () -> {
            rig.chain.mine(C);
            rig.engine.observe(C, rig.engine.reserveObservation());
        });

        rig.engine.attemptNow();

        assertThat(rig.waves).containsExactly(WaveOutcome.BUILD_SUPERSEDED);
        assertThat(rig.publishedTip()).isEqualTo(C);
        assertThat(rig.fanout.sent)
                .hasSize(3)
                .allMatch(job -> job.work().parent().equals(C));
        assertThat(rig.engine.ages().coordinationAge()).isEmpty();
    }

    @Test
    void aWaveWithoutFixpointEndsAfterSixtyFourPassesWithALatchedRetry() {
        RefreshRig rig = rig(1);
        rig.chain.mine(B);
        rig.builder.failure = new WorkBuilder.NotBuilt<>(FailureKind.SUPERSEDED, TimeoutLabel.REFRESH, "superseded");

        rig.engine.attemptNow();

        assertThat(rig.builder.builds).hasSize(64);
        assertThat(rig.waves).containsExactly(WaveOutcome.BUILD_SUPERSEDED);
        Duration ended = rig.time.now();
        rig.builder.failure = null;
        rig.driveUntil(ended.plusMillis(1));
        assertThat(rig.attempts).first().as("no holdoff").isEqualTo(ended);
        assertThat(rig.publishedTip()).isEqualTo(B);
    }

    @Test
    void aPayoutPublicationMintsForTheTipThatIsWorkedOnAndRestampsTheIdentity() {
        RefreshRig rig = rig(1);
        RefreshEpoch before = rig.engine.authority().epoch().orElseThrow();
        rig.gate.publish(6);

        rig.engine.payoutPublished(rig.gate.current());

        RefreshEpoch after = rig.engine.authority().epoch().orElseThrow();
        assertThat(after.sequence()).isEqualTo(before.sequence() + 1);
        assertThat(after.tip()).isEqualTo(A);
        assertThat(after.payoutGeneration()).isEqualTo(6);
        assertThat(rig.engine.authority().work().orElseThrow().epoch()).isEqualTo(after.sequence());
        assertThat(rig.epochs).endsWith(after);
    }

    @Test
    void aFlipBackAndForthReservesEveryoneUnderTheNewestEpoch() {
        RefreshRig rig = rig(2);
        rig.engine.observe(B, rig.engine.reserveObservation());
        rig.engine.observe(A, rig.engine.reserveObservation());
        long newest = rig.engine.authority().epochSequence();

        rig.engine.attemptNow();

        assertThat(rig.waves).containsExactly(WaveOutcome.COMPLETED);
        assertThat(rig.fanout.sent).hasSize(2).allMatch(job -> job.epoch() == newest);
    }

    @Test
    void withoutClientsTheFixpointStillNeedsTheNewestTip() {
        RefreshRig rig = rig(0);
        rig.engine.observe(B, rig.engine.reserveObservation());
        rig.engine.observe(A, rig.engine.reserveObservation());
        rig.chain.mine(C);

        rig.engine.attemptNow();

        assertThat(rig.publishedTip()).isEqualTo(C);
        assertThat(rig.engine.authority().work().orElseThrow().epoch())
                .isEqualTo(rig.engine.authority().epochSequence());
        assertThat(rig.waves).containsExactly(WaveOutcome.COMPLETED);
    }

    @Test
    void aRetryThatWasLatchedBeforeTheProofIsTakenByIt() {
        RefreshRig rig = rig(2);
        rig.chain.mine(B);
        rig.engine.demand();

        rig.engine.attemptNow();
        rig.driveUntil(rig.time.now().plusMillis(1_900));

        assertThat(rig.attempts).as("no wave is run again for nothing").isEmpty();
    }

    @Test
    void aBusyClientKeepsTheWaveGoingUntilItIsServed() {
        RefreshRig rig = rig(2);
        rig.chain.mine(B);
        rig.fanout.busy.add(1L);
        rig.time.in(Duration.ofMillis(400), () -> rig.fanout.busy.clear());

        rig.engine.attemptNow();

        assertThat(rig.fanout.job(1).work().parent()).isEqualTo(B);
        assertThat(rig.waves).containsExactly(WaveOutcome.COMPLETED);
    }

    @Test
    void workOfAnotherIdentityBelongsToNoEpoch() {
        RefreshRig rig = rig(1);
        var identity = rig.fanout.job(1).work();
        assertThat(rig.engine.epochOf(identity))
                .isEqualTo(rig.engine.authority().epochSequence());

        rig.gate.publish(6);
        rig.engine.payoutPublished(rig.gate.current());

        assertThat(rig.engine.epochOf(identity)).isZero();
    }
}
