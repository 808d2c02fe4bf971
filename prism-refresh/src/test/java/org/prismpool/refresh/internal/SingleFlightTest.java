package org.prismpool.refresh.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.refresh.internal.RefreshRig.B;
import static org.prismpool.refresh.internal.RefreshRig.C;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.prismpool.refresh.FailureKind;
import org.prismpool.refresh.PrewarmOutcome;
import org.prismpool.refresh.TimeoutLabel;
import org.prismpool.refresh.WaveOutcome;
import org.prismpool.refresh.WorkBuilder;

/** One refresh at a time, and what happens beside it: spec 07 §3.1, §3.4; L4, traps 69, 70. */
class SingleFlightTest {

    @Test
    void anAttemptBesideARefreshOnlyDetectsAndLatchesARetry() {
        RefreshRig rig = new RefreshRig().settled(2);
        rig.chain.mine(B);
        rig.fanout.afterEachSend = () -> {
            rig.fanout.afterEachSend = () -> {};
            rig.chain.mine(C);
            rig.engine.attemptNow();
        };

        rig.engine.attemptNow();

        assertThat(rig.waves).as("one wave was owned").containsExactly(WaveOutcome.FANOUT_SUPERSEDED);
        assertThat(rig.engine.authority().newestKnownTip()).contains(C);
        rig.driveUntil(rig.time.now().plusMillis(1));
        assertThat(rig.publishedTip()).isEqualTo(C);
    }

    @Test
    void aPollOfTheSameTipBesideAFanoutLeavesItAlone() {
        RefreshRig rig = new RefreshRig().settled(5);
        rig.chain.mine(B);
        rig.fanout.afterEachSend = rig.engine::attemptNow;

        rig.engine.attemptNow();

        assertThat(rig.waves).containsExactly(WaveOutcome.COMPLETED);
        assertThat(rig.fanout.sent).hasSize(5);
        assertThat(rig.builder.builds).hasSize(1);
    }

    @Test
    void aPrewarmThatCannotHaveTheFlightInFiveSecondsIsDeferred() {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.chain.mine(B);
        List<PrewarmOutcome> outcomes = new ArrayList<>();
        List<Duration> waited = new ArrayList<>();
        rig.fanout.afterEachSend = () -> {
            Duration started = rig.time.now();
            outcomes.add(rig.engine.prewarm());
            waited.add(rig.time.now().minus(started));
        };

        rig.engine.attemptNow();

        assertThat(outcomes).singleElement().matches(outcome -> !outcome.published());
        assertThat(waited).containsExactly(Duration.ofSeconds(5));
        assertThat(rig.timeouts(TimeoutLabel.REFRESH_LOCK)).isEqualTo(1);
    }

    @Test
    void aBundleIsPublishedAlthoughEveryClientLeftDuringItsBuild() {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.chain.mine(B);
        rig.builder.takes = Duration.ofSeconds(1);
        rig.time.in(Duration.ofMillis(500), rig.fanout.clients::clear);

        rig.engine.attemptNow();

        assertThat(rig.publishedTip()).isEqualTo(B);
        assertThat(rig.engine.authority().work().orElseThrow().bundle()).isPresent();
        assertThat(rig.waves).containsExactly(WaveOutcome.COMPLETED);
    }

    @Test
    void aClientOfAReadyPoolThatConnectsDuringAnEmptyPublicationIsServedByTheNextPoll() {
        RefreshRig rig = new RefreshRig().settled(0);
        rig.chain.mine(B);
        rig.gate.beforeSection = () -> rig.fanout.connect(1);

        rig.engine.attemptNow();
        rig.gate.beforeSection = () -> {};
        rig.driveUntil(rig.time.now().plusSeconds(3));

        assertThat(rig.fanout.job(1).work().parent()).isEqualTo(B);
        assertThat(rig.engine.refreshPending()).isFalse();
    }

    @Test
    void endlessChurnNeverRunsMoreThanTwoBuildsAndItsEndIsPublishedWithinOnePass() {
        RefreshRig rig = new RefreshRig().settled(3);
        rig.builder.takes = Duration.ofMillis(500);
        for (int i = 0; i < 200; i++) {
            int number = 1_000 + i;
            rig.time.at(Duration.ofMillis(100L * (i + 1)), () -> {
                rig.chain.mine(FakeChain.hash(number));
                rig.engine.observe(FakeChain.hash(number), rig.engine.reserveObservation());
                assertThat(rig.builder.running()).isLessThanOrEqualTo(2);
            });
        }

        rig.driveUntil(Duration.ofMillis(20_000 + 700));

        assertThat(rig.publishedTip()).isEqualTo(FakeChain.hash(1_199));
        assertThat(rig.fanout.sent).hasSize(3);
        assertThat(rig.longestGapNanos).isLessThan(Duration.ofSeconds(1).toNanos());
    }

    @Test
    void everyAttemptReportsHowItEnded() {
        RefreshRig rig = new RefreshRig();

        rig.engine.attemptNow();
        rig.chain.down = true;
        rig.engine.attemptNow();
        rig.chain.down = false;
        rig.chain.mine(B);
        rig.gate.fence();
        rig.engine.attemptNow();
        rig.gate.publish(6);
        rig.fanout.connect(1);
        rig.builder.failure =
                new WorkBuilder.NotBuilt<>(FailureKind.PAYOUT_PENDING, TimeoutLabel.REFRESH, "preview is late");
        rig.engine.attemptNow();

        assertThat(rig.ends).containsExactly("completed", "BLOCKED", "SUPERSEDED", "PAYOUT_PENDING");
        assertThat(rig.waves)
                .containsExactly(WaveOutcome.COMPLETED, WaveOutcome.BUILD_SUPERSEDED, WaveOutcome.PAYOUT_BLOCKED);
    }

    @Test
    void aHungNodeIsHeardOfAsAFailureAndTheLoopGoesOn() {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.chain.down = true;

        rig.driveUntil(Duration.ofSeconds(10));
        rig.chain.down = false;
        rig.chain.mine(B);
        rig.driveUntil(Duration.ofSeconds(14));

        assertThat(rig.publishedTip()).isEqualTo(B);
    }
}
