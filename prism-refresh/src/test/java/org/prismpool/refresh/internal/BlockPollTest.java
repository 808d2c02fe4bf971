package org.prismpool.refresh.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.refresh.internal.RefreshRig.A;
import static org.prismpool.refresh.internal.RefreshRig.B;
import static org.prismpool.refresh.internal.RefreshRig.C;

import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.prismpool.refresh.FailureKind;
import org.prismpool.refresh.RefreshConfig;
import org.prismpool.refresh.TimeoutLabel;
import org.prismpool.refresh.WaveOutcome;
import org.prismpool.refresh.WorkBuilder;

/** The driver's triggers, spacing and budgets: spec 07 §2.3, §2.7 to §2.9; A7, A8, traps 11 to 17, 19. */
class BlockPollTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void withoutATriggerItPollsEveryTwoSeconds() {
        RefreshRig rig = new RefreshRig();

        rig.driveUntil(Duration.ofSeconds(11));

        assertThat(rig.attempts).hasSize(5).startsWith(Duration.ofSeconds(2), Duration.ofSeconds(4));
    }

    @Test
    void aLatchedRetryRunsAtOnceAndManyAreOne() {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.time.in(Duration.ofMillis(100), () -> {
            rig.engine.demand();
            rig.engine.demand();
            rig.engine.demand();
        });

        rig.driveUntil(Duration.ofMillis(1_500));

        assertThat(rig.attempts).containsExactly(Duration.ofMillis(100));
    }

    @Test
    void failuresOnOneTipAreSpacedAndTheFirstOneStartsTheBudget() {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.chain.down = true;
        rig.engine.demand();

        rig.driveUntil(Duration.ofSeconds(125));

        for (int i = 1; i < rig.attempts.size(); i++) {
            assertThat(rig.attempts.get(i).minus(rig.attempts.get(i - 1))).isGreaterThanOrEqualTo(SECOND);
        }
        assertThat(rig.attempts).as("at most one a second").hasSizeBetween(90, 125);
        assertThat(rig.fatal).isNotEmpty().allMatch(age -> age >= 120);
        Duration firstFatal = rig.attempts.get(rig.attempts.size() - rig.fatal.size());
        assertThat(firstFatal).isBetween(Duration.ofSeconds(120), Duration.ofSeconds(122));
    }

    @Test
    void aHealthyPollBetweenTwoOutagesClearsTheBudget() {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.chain.down = true;
        rig.time.at(Duration.ofSeconds(100), () -> rig.chain.down = false);
        rig.time.at(Duration.ofSeconds(104), () -> rig.chain.down = true);

        rig.driveUntil(Duration.ofSeconds(204));

        assertThat(rig.fatal).isEmpty();
    }

    @Test
    void churnNeverUsesTheFailureBudgetButKeepsItsStreak() {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.builder.failure = superseded();
        rig.chain.mine(B);

        rig.driveUntil(Duration.ofSeconds(130));

        assertThat(rig.fatal).isEmpty();
        assertThat(rig.engine.ages().failureAge()).isEmpty();
        assertThat(rig.engine.ages().coordinationAge().orElse(0)).isGreaterThan(120);
    }

    @Test
    void aCoordinationFailureNeverFiresAnArmedBudget() {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.chain.down = true;
        rig.engine.attemptNow();
        rig.chain.down = false;
        rig.chain.mine(B);
        rig.builder.failure = superseded();

        rig.driveUntil(Duration.ofSeconds(150));

        assertThat(rig.fatal).isEmpty();
        assertThat(rig.engine.ages().failureAge()).isPresent();
    }

    @Test
    void aGenuineFailureEndsTheCoordinationStreak() {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.chain.mine(B);
        rig.builder.failure = superseded();
        rig.engine.attemptNow();
        assertThat(rig.engine.ages().coordinationAge()).isPresent();

        rig.chain.down = true;
        rig.engine.attemptNow();

        assertThat(rig.engine.ages().coordinationAge()).isEmpty();
    }

    @Test
    void aLongHoldoffKeepsTheHeartbeatFresh() {
        RefreshRig rig = new RefreshRig(RefreshConfig.defaults()
                .with(new RefreshConfig.Pacing(
                        Duration.ofSeconds(200), Duration.ofSeconds(120), Duration.ofSeconds(10))));
        rig.settled(1);
        rig.chain.down = true;
        rig.engine.attemptNow();

        rig.driveUntil(Duration.ofSeconds(190));

        assertThat(rig.attempts).isEmpty();
        assertThat(rig.longestGapNanos).isLessThan(SECOND.toNanos());
    }

    @Test
    void retriesWithinTheCacheTimeAskForOneTemplateOnly() {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.chain.mine(B);
        rig.builder.failure = superseded();
        int before = rig.chain.templateCalls;

        for (int i = 0; i < 10; i++) {
            rig.engine.attemptNow();
            rig.time.pass(Duration.ofMillis(150));
        }

        assertThat(rig.chain.templateCalls - before).isEqualTo(1);
    }

    @Test
    void aTipThatReturnsEndsTheDivergence() {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.engine.observe(B, rig.engine.reserveObservation());
        rig.time.pass(Duration.ofSeconds(50));
        assertThat(rig.engine.ages().divergenceAge()).isEqualTo(OptionalDouble.of(50));
        rig.engine.observe(C, rig.engine.reserveObservation());
        assertThat(rig.engine.ages().divergenceAge())
                .as("a further departure does not renew it")
                .isEqualTo(OptionalDouble.of(50));

        rig.engine.attemptNow();

        assertThat(rig.engine.ages().divergenceAge()).isEmpty();
        assertThat(rig.waves).containsExactly(WaveOutcome.COMPLETED);
        assertThat(rig.publishedTip()).isEqualTo(A);
    }

    @Test
    void anAcceptedBlockLatchesARetryEvenIfTheNodeDoesNotAnswer() {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.chain.down = true;

        rig.engine.blockAccepted();

        assertThat(rig.postAcceptFailures).isEqualTo(1);
        rig.chain.down = false;
        rig.driveUntil(rig.time.now().plusMillis(1));
        assertThat(rig.attempts).hasSize(1);
    }

    @Test
    void everySightingIsReportedAsEvidenceEvenAnOutdatedOne() {
        RefreshRig rig = new RefreshRig().settled(1);
        long early = rig.engine.reserveObservation();
        rig.engine.observe(B, rig.engine.reserveObservation());

        boolean stands = rig.engine.observe(C, early);

        assertThat(stands).isFalse();
        assertThat(rig.seen).endsWith(B, C);
        assertThat(rig.engine.authority().newestKnownTip()).contains(B);
    }

    @Test
    void aBuildThatHangsEndsThePassWithItsLabelAndTheNextAttemptFollows() {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.chain.mine(B);
        rig.builder.hangs = true;
        Duration started = rig.time.now();

        rig.engine.attemptNow();

        assertThat(rig.time.now().minus(started)).isEqualTo(Duration.ofSeconds(64));
        assertThat(rig.timeouts(TimeoutLabel.BUNDLE_BUILDER)).isEqualTo(1);
        assertThat(rig.longestGapNanos).isLessThan(SECOND.toNanos());
        assertThat(rig.builder.openReservations).isZero();
        rig.builder.hangs = false;
        rig.driveUntil(rig.time.now().plusSeconds(2));
        assertThat(rig.publishedTip()).isEqualTo(B);
    }

    @Test
    void aWholePassNeverOutlivesNinetySeconds() {
        RefreshRig rig = new RefreshRig().settled(20);
        rig.chain.mine(B);
        rig.fanout.perSend = Duration.ofSeconds(10);
        Duration started = rig.time.now();

        rig.engine.attemptNow();

        assertThat(rig.time.now().minus(started)).isBetween(Duration.ofSeconds(90), Duration.ofSeconds(100));
        assertThat(rig.timeouts(TimeoutLabel.JOB_FANOUT) + rig.timeouts(TimeoutLabel.REFRESH))
                .isEqualTo(1);
        assertThat(rig.publishedTip()).as("never rolled back").isEqualTo(B);
    }

    @Test
    void aBusyClientKeepsTheTokenAndIsRetriedWithoutCountingAsAFailure() {
        RefreshRig rig = new RefreshRig().settled(3);
        rig.chain.mine(B);
        rig.fanout.busy.add(2L);

        rig.engine.attemptNow();

        assertThat(rig.engine.refreshPending()).isTrue();
        assertThat(rig.timeouts(TimeoutLabel.CLIENT_LOCK)).isEqualTo(1);
        assertThat(rig.engine.ages().failureAge()).isEmpty();
        rig.fanout.busy.clear();
        rig.driveUntil(rig.time.now().plusMillis(1));
        assertThat(rig.fanout.job(2).work().parent()).isEqualTo(B);
        assertThat(rig.engine.refreshPending()).isFalse();
    }

    @Test
    void somethingThatBecomesPendingDuringTheFanoutIsNotCleared() {
        RefreshRig rig = new RefreshRig().settled(2);
        rig.chain.mine(B);
        rig.fanout.afterEachSend = rig.engine::demand;

        rig.engine.attemptNow();

        assertThat(rig.engine.refreshPending()).isTrue();
        assertThat(rig.engine.status().newestPendingGeneration()).isPresent();
        rig.fanout.afterEachSend = () -> {};
        rig.driveUntil(rig.time.now().plusSeconds(2));
        assertThat(rig.engine.refreshPending()).isFalse();
    }

    @Test
    void thePendingClockStartsAtTheFirstUnresolvedChangeAndDoesNotSlide() {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.engine.observe(B, rig.engine.reserveObservation());
        rig.time.pass(Duration.ofSeconds(5));
        rig.engine.observe(C, rig.engine.reserveObservation());
        rig.time.pass(Duration.ofSeconds(5));

        assertThat(rig.engine.ages().pendingAge()).isEqualTo(OptionalDouble.of(10));
    }

    @Test
    void whatAFailureArmsFollowsItsKind() {
        assertThat(List.of(FailureKind.values()))
                .filteredOn(FailureKind::armsFailureBudget)
                .containsExactly(FailureKind.PHASE_TIMEOUT, FailureKind.BLOCKED);
        assertThat(List.of(FailureKind.values()))
                .filteredOn(kind -> kind.armsCoordinationStreak(false))
                .containsExactly(FailureKind.SUPERSEDED, FailureKind.PAYOUT_PENDING);
        assertThat(List.of(FailureKind.values()))
                .filteredOn(kind -> kind.armsCoordinationStreak(true))
                .containsExactly(FailureKind.PAYOUT_PENDING);
        assertThat(List.of(FailureKind.values()))
                .filteredOn(kind -> kind.armsHoldoff(false))
                .doesNotContain(FailureKind.SHUTDOWN)
                .hasSize(4);
        assertThat(List.of(FailureKind.values()))
                .filteredOn(kind -> kind.armsHoldoff(true))
                .doesNotContain(FailureKind.SHUTDOWN, FailureKind.SUPERSEDED)
                .hasSize(3);
    }

    private static WorkBuilder.NotBuilt<String, String> superseded() {
        return new WorkBuilder.NotBuilt<>(FailureKind.SUPERSEDED, TimeoutLabel.REFRESH, "superseded");
    }
}
