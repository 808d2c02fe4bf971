package org.prismpool.lifecycle.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.lifecycle.health.ProgressReason.BUNDLE_BUILD_STUCK;
import static org.prismpool.lifecycle.health.ProgressReason.CURRENT_GENERATION_NOT_DELIVERED;
import static org.prismpool.lifecycle.health.ProgressReason.CURRENT_GENERATION_NOT_PUBLISHED;
import static org.prismpool.lifecycle.health.ProgressReason.REFRESH_PENDING_TOO_LONG;
import static org.prismpool.lifecycle.health.ProgressReason.TIP_POLL_STALE;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;

class ProgressHealthTest {

    private static final ClientCountPort NOBODY = (fingerprint, payout) -> ClientCounts.NONE;
    private static final WorkGeneration AA = new WorkGeneration(1, "aa", 0);
    private static final WorkGeneration BB = new WorkGeneration(2, "bb", 0);

    private final ManualClock clock = new ManualClock();
    private final ProgressHealth health = new ProgressHealth(clock, HealthDeadlines.defaults());

    @Test
    void theWorkedExampleOfTheContract() {
        assertVerdict(NOBODY, seconds(0), CURRENT_GENERATION_NOT_PUBLISHED);

        at(5.0);
        health.tipObserved(AA, clock.nanoTime());
        assertVerdict(NOBODY, seconds(5), CURRENT_GENERATION_NOT_PUBLISHED);
        assertThat(health.published(AA, true)).isTrue();

        at(6.0);
        assertVerdict(NOBODY, Optional.empty());

        at(20.1);
        assertVerdict(NOBODY, Optional.empty(), TIP_POLL_STALE);
        assertThat(health.snapshot(NOBODY).tipPollAge()).isEqualTo(Duration.ofMillis(15_100));

        health.tipObserved(BB, clock.nanoTime());
        at(35.0);
        assertVerdict(NOBODY, Optional.of(Duration.ofMillis(14_900)));

        at(35.2);
        WorkGeneration third = new WorkGeneration(3, "bb", 0);
        health.tipObserved(third, clock.nanoTime());
        assertVerdict(
                NOBODY,
                Optional.of(Duration.ofMillis(15_100)),
                REFRESH_PENDING_TOO_LONG,
                CURRENT_GENERATION_NOT_PUBLISHED);

        health.published(third, true);
        assertVerdict(
                (f, p) -> new ClientCounts(2, 1),
                Optional.of(Duration.ofMillis(15_100)),
                REFRESH_PENDING_TOO_LONG,
                CURRENT_GENERATION_NOT_DELIVERED);

        assertVerdict((f, p) -> new ClientCounts(2, 0), Optional.empty());
    }

    @Test
    void everythingWrongAtOnceIsListedInOrder() {
        health.tipObserved(AA, clock.nanoTime());
        health.published(AA, true);
        health.snapshot(NOBODY);
        health.startBuild();
        health.payoutInvalidated(1, clock.nanoTime());
        clock.advance(Duration.ofSeconds(61));

        assertThat(health.snapshot(NOBODY).reasons())
                .containsExactly(
                        TIP_POLL_STALE, BUNDLE_BUILD_STUCK, REFRESH_PENDING_TOO_LONG, CURRENT_GENERATION_NOT_PUBLISHED);
    }

    @Test
    void anAgeEqualToItsDeadlineIsHealthy() {
        publish(AA);
        clock.advance(Duration.ofSeconds(15));
        assertThat(health.snapshot(NOBODY).ok()).isTrue();

        clock.advance(Duration.ofMillis(1));
        assertThat(health.snapshot(NOBODY).reasons()).containsExactly(TIP_POLL_STALE);
    }

    @Test
    void aLongRefreshThatShowsLifeIsNotStale() {
        publish(AA);
        try (ProgressHealth.RefreshToken refresh = health.startRefresh()) {
            for (int i = 0; i < 12; i++) {
                clock.advance(Duration.ofSeconds(5));
                refresh.activity();
                assertThat(health.snapshot(NOBODY).reasons()).isEmpty();
            }
            clock.advance(Duration.ofSeconds(15));
            assertThat(health.snapshot(NOBODY).reasons()).isEmpty();
            clock.advance(Duration.ofMillis(1));
            assertThat(health.snapshot(NOBODY).reasons()).containsExactly(TIP_POLL_STALE);
            assertThat(health.snapshot(NOBODY).refreshProgressAge()).contains(Duration.ofMillis(15_001));
        }
        assertThat(health.snapshot(NOBODY).refreshInProgress()).isFalse();
    }

    @Test
    void aFinishedRefreshShowsNoLife() {
        publish(AA);
        ProgressHealth.RefreshToken refresh = health.startRefresh();
        refresh.close();
        refresh.close();
        clock.advance(Duration.ofSeconds(16));
        refresh.activity();

        ProgressSnapshot now = health.snapshot(NOBODY);
        assertThat(now.refreshInProgress()).isFalse();
        assertThat(now.refreshProgressAge()).isEmpty();
        assertThat(now.reasons()).containsExactly(TIP_POLL_STALE);
    }

    @Test
    void anOlderConcurrentPollDoesNotRenewTheAge() {
        health.tipObserved(BB, clock.nanoTime());
        clock.advance(Duration.ofSeconds(10));

        health.tipObserved(AA, clock.nanoTime());

        assertThat(health.snapshot(NOBODY).tipPollAge()).isEqualTo(Duration.ofSeconds(10));
        assertThat(health.snapshot(NOBODY).current()).isEqualTo(BB);
    }

    @Test
    void thePendingClockDoesNotSlideOnChurn() {
        publish(AA);
        health.snapshot(NOBODY);
        for (int i = 2; i < 18; i++) {
            health.tipObserved(new WorkGeneration(i, "tip-" + i, 0), clock.nanoTime());
            clock.advance(Duration.ofSeconds(1));
        }

        assertThat(health.snapshot(NOBODY).pendingRefreshAge()).contains(Duration.ofSeconds(16));
        assertThat(health.snapshot(NOBODY).reasons())
                .containsExactly(REFRESH_PENDING_TOO_LONG, CURRENT_GENERATION_NOT_PUBLISHED);
    }

    @Test
    void theSameContentSeenAgainOwesNothing() {
        publish(AA);
        WorkGeneration again = new WorkGeneration(7, "aa", 0);

        health.tipObserved(again, clock.nanoTime());

        ProgressSnapshot now = health.snapshot(NOBODY);
        assertThat(now.published()).isEqualTo(again);
        assertThat(now.pendingRefresh()).isFalse();
        assertThat(health.divergenceSinceNanos()).isEmpty();
    }

    @Test
    void anOlderObservationOfThePublishedContentDoesNotLowerItsGeneration() {
        health.tipObserved(AA, clock.nanoTime());
        health.published(new WorkGeneration(5, "aa", 0), true);

        health.tipObserved(new WorkGeneration(3, "aa", 0), clock.nanoTime());

        assertThat(health.snapshot(NOBODY).published().templateGeneration()).isEqualTo(5);
    }

    @Test
    void aTipThatGoesAwayAndComesBackClosesTheDivergence() {
        publish(AA);
        health.tipObserved(BB, clock.nanoTime());
        assertThat(health.divergenceSinceNanos()).isPresent();

        health.tipObserved(new WorkGeneration(3, "aa", 0), clock.nanoTime());

        assertThat(health.divergenceSinceNanos()).isEmpty();
        assertThat(health.snapshot(NOBODY).pendingRefresh()).isFalse();
    }

    @Test
    void aRefreshThatIsOwedKeepsTheDivergenceAlthoughTheContentIsPublished() {
        publish(AA);
        health.refreshPending(clock.nanoTime());

        health.tipObserved(new WorkGeneration(3, "aa", 0), clock.nanoTime());

        assertThat(health.divergenceSinceNanos()).isPresent();
        assertThat(health.snapshot(NOBODY).pendingRefresh()).isTrue();
    }

    @Test
    void publishingOlderWorkIsRefused() {
        health.tipObserved(BB, clock.nanoTime());
        health.published(BB, true);

        assertThat(health.published(AA, true)).isFalse();
        assertThat(health.snapshot(NOBODY).published()).isEqualTo(BB);
    }

    @Test
    void publishingForAnOlderTipDoesNotCloseTheDivergence() {
        health.tipObserved(BB, clock.nanoTime());

        health.published(BB, false);

        assertThat(health.divergenceSinceNanos()).isEqualTo(OptionalLong.of(0));
    }

    @Test
    void deliveringWorkOfThePreviousTipProvesNothing() {
        publish(AA);
        health.tipObserved(BB, clock.nanoTime());

        assertThat(health.delivered(new DeliveryProof(1, AA, false, clock.nanoTime()), false, true))
                .isFalse();

        assertThat(health.divergenceSinceNanos()).isPresent();
        assertThat(health.snapshot(NOBODY).lastValidDeliveryAge()).isEmpty();
    }

    @Test
    void deliveringTheCurrentWorkPublishesItAndClosesTheDivergence() {
        health.tipObserved(BB, clock.nanoTime());

        assertThat(health.delivered(new DeliveryProof(1, BB, false, clock.nanoTime()), false, true))
                .isTrue();
        clock.advance(Duration.ofSeconds(2));

        ProgressSnapshot now = health.snapshot(NOBODY);
        assertThat(now.ok()).isTrue();
        assertThat(now.published()).isEqualTo(BB);
        assertThat(now.lastValidDeliveryAge()).contains(Duration.ofSeconds(2));
        assertThat(health.divergenceSinceNanos()).isEmpty();
    }

    @Test
    void collectionWorkDoesNotCountInAReadyPool() {
        health.tipObserved(BB, clock.nanoTime());
        DeliveryProof collection = new DeliveryProof(1, BB, true, clock.nanoTime());

        assertThat(health.delivered(collection, true, true)).isFalse();
        assertThat(health.delivered(collection, false, true)).isTrue();
    }

    @Test
    void aDeliveryOfAnOlderGenerationHasNoAge() {
        health.tipObserved(AA, clock.nanoTime());
        health.delivered(new DeliveryProof(1, AA, false, clock.nanoTime()), false, true);

        health.payoutInvalidated(5, clock.nanoTime());

        assertThat(health.snapshot(NOBODY).lastValidDeliveryAge()).isEmpty();
        assertThat(health.snapshot(NOBODY).pendingRefresh()).isTrue();
    }

    @Test
    void anOlderPayoutGenerationIsIgnored() {
        health.tipObserved(new WorkGeneration(1, "aa", 5), clock.nanoTime());
        health.published(new WorkGeneration(1, "aa", 5), true);

        health.payoutInvalidated(4, clock.nanoTime());

        assertThat(health.snapshot(NOBODY).current().payoutGeneration()).isEqualTo(5);
        assertThat(health.snapshot(NOBODY).pendingRefresh()).isFalse();
    }

    @Test
    void aBacklogOfClientsIsPendingButNoDivergence() {
        publish(AA);
        ClientCountPort one = (fingerprint, payout) -> new ClientCounts(3, 1);
        health.snapshot(one);
        clock.advance(Duration.ofSeconds(10));

        assertThat(health.snapshot(one).pendingRefreshAge()).contains(Duration.ofSeconds(10));
        assertThat(health.divergenceSinceNanos()).isEmpty();
    }

    @Test
    void countsOfOlderWorkCloseNothing() {
        publish(AA);
        health.snapshot((fingerprint, payout) -> new ClientCounts(1, 1)); // opens the pending clock
        ClientCountPort overtaken = (fingerprint, payout) -> {
            assertThat(fingerprint).isEqualTo("aa");
            health.tipObserved(BB, clock.nanoTime());
            return ClientCounts.NONE;
        };

        assertThat(health.snapshot(overtaken).pendingRefresh()).isTrue();
        assertThat(health.snapshot(NOBODY).pendingRefresh()).isTrue();
    }

    @Test
    void buildsEndHoweverOften() {
        ProgressHealth.BuildToken first = health.startBuild();
        clock.advance(Duration.ofSeconds(5));
        ProgressHealth.BuildToken second = health.startBuild();
        clock.advance(Duration.ofSeconds(5));
        assertThat(health.snapshot(NOBODY).oldestBuildAge()).isEqualTo(Duration.ofSeconds(10));

        first.close();
        first.close();
        assertThat(health.snapshot(NOBODY).oldestBuildAge()).isEqualTo(Duration.ofSeconds(5));

        second.close();
        assertThat(health.snapshot(NOBODY).oldestBuildAge()).isZero();
    }

    private void publish(WorkGeneration work) {
        health.tipObserved(work, clock.nanoTime());
        health.published(work, true);
    }

    private void at(double seconds) {
        clock.advance(Duration.ofNanos(Math.round(seconds * 1e9) - clock.nanoTime()));
    }

    private static Optional<Duration> seconds(long seconds) {
        return Optional.of(Duration.ofSeconds(seconds));
    }

    private void assertVerdict(ClientCountPort clients, Optional<Duration> pendingAge, ProgressReason... reasons) {
        ProgressSnapshot now = health.snapshot(clients);
        assertThat(now.reasons()).containsExactly(reasons);
        assertThat(now.ok()).isEqualTo(reasons.length == 0);
        assertThat(now.pendingRefreshAge()).isEqualTo(pendingAge);
    }
}
