package org.prismpool.lifecycle.watchdog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.event.LifecycleEvents;
import org.prismpool.lifecycle.health.HealthDeadlines;
import org.prismpool.lifecycle.health.ProgressHealth;
import org.prismpool.lifecycle.health.WorkGeneration;
import org.prismpool.lifecycle.service.Heartbeats;
import org.prismpool.lifecycle.service.ServiceHandle;
import org.prismpool.lifecycle.service.ServiceObserver;
import org.prismpool.lifecycle.service.ServiceRegistry;
import org.prismpool.lifecycle.shutdown.LeasePort;
import org.prismpool.lifecycle.shutdown.ShutdownConfig;
import org.prismpool.lifecycle.shutdown.ShutdownController;
import org.prismpool.lifecycle.testing.ManualClock;

class WatchdogTest {

    private static final WorkGeneration OLD = new WorkGeneration(1, "aa", 0);
    private static final WorkGeneration NEW = new WorkGeneration(2, "bb", 0);

    private final ManualClock clock = new ManualClock();
    private final List<Integer> exits = new CopyOnWriteArrayList<>();
    private final Heartbeats heartbeats = new Heartbeats(clock);
    private final ProgressHealth progress = new ProgressHealth(clock, HealthDeadlines.defaults());
    private final RefreshBudgets budgets = new RefreshBudgets(clock, Duration.ofMinutes(2));
    private final ShutdownController controller =
            new ShutdownController(ShutdownConfig.defaults(), LeasePort.none(), clock, LifecycleEvents.none());
    private final FatalShutdown fatal = new FatalShutdown(
            FatalConfig.defaults(), controller, exits::add, clock, LifecycleEvents.none(), () -> Map.of());

    @Test
    void aStreakAgesWhileItsPartsAreHealthyAndIsFatalAfterItsOwnBudget() {
        Watchdog watchdog = watchdog(WatchdogConfig.defaults());
        budgets.coordinationBlocked();
        for (int second = 0; second < 130; second++) {
            clock.advance(Duration.ofSeconds(1));
            budgets.coordinationBlocked(); // a later one does not renew it
        }
        assertThat(watchdog.look()).isInstanceOf(WatchdogVerdict.Healthy.class);

        clock.advance(Duration.ofSeconds(770));
        watchdog.look();

        assertThat(fatal.snapshot().claimed())
                .contains(new FatalReason.Coordination(Duration.ofMinutes(15), Duration.ofMinutes(15)));
        assertThat(exits).containsExactly(1);
    }

    @Test
    void aCompletedRefreshEndsTheStreakAndSoDoesAnOrdinaryFailure() {
        budgets.coordinationBlocked();
        budgets.refreshCompleted();
        assertThat(budgets.streakAge()).isEmpty();

        budgets.coordinationBlocked();
        assertThat(budgets.refreshFailed()).isEmpty();
        assertThat(budgets.streakAge()).isEmpty();
        assertThat(budgets.failingFor()).contains(Duration.ZERO);
    }

    @Test
    void failuresInARowAreFatalAfterTheirBudgetAndACompletedRefreshStartsAgain() {
        assertThat(budgets.refreshFailed()).isEmpty();
        clock.advance(Duration.ofSeconds(119));
        assertThat(budgets.refreshFailed()).isEmpty();
        budgets.refreshCompleted();
        assertThat(budgets.refreshFailed()).isEmpty();
        clock.advance(Duration.ofMinutes(2));

        assertThat(budgets.refreshFailed())
                .contains(new FatalReason.RefreshFailure(Duration.ofMinutes(2), Duration.ofMinutes(2)));
    }

    @Test
    void aFailureBudgetOfZeroIsOff() {
        RefreshBudgets off = new RefreshBudgets(clock, Duration.ZERO);
        off.refreshFailed();
        clock.advance(Duration.ofDays(1));

        assertThat(off.refreshFailed()).isEmpty();
    }

    @Test
    void churnDoesNotRenewThePublicationDeadline() {
        Watchdog watchdog = watchdog(WatchdogConfig.defaults());
        for (int second = 1; second < 120; second++) {
            clock.advance(Duration.ofSeconds(1));
            progress.tipObserved(new WorkGeneration(second, "tip-" + second, 0), clock.nanoTime());
        }
        assertThat(watchdog.look()).isInstanceOf(WatchdogVerdict.Healthy.class);

        clock.advance(Duration.ofSeconds(1));
        watchdog.look();

        assertThat(fatal.snapshot().claimed()).contains(new FatalReason.Publication(Duration.ofMinutes(2)));
    }

    @Test
    void deliveringWorkOfAnOlderTipDoesNotSaveTheProcess() {
        Watchdog watchdog = watchdog(WatchdogConfig.defaults());
        progress.tipObserved(OLD, clock.nanoTime());
        progress.published(OLD, true);
        progress.tipObserved(NEW, clock.nanoTime());
        clock.advance(Duration.ofSeconds(119));
        progress.published(OLD, false);
        clock.advance(Duration.ofSeconds(1));

        assertThat(watchdog.look()).isInstanceOf(WatchdogVerdict.Fatal.class);
    }

    @Test
    void publishingInTimeSavesIt() {
        Watchdog watchdog = watchdog(WatchdogConfig.defaults());
        progress.tipObserved(NEW, clock.nanoTime());
        clock.advance(Duration.ofSeconds(119));
        progress.published(NEW, true);
        clock.advance(Duration.ofSeconds(500));

        assertThat(watchdog.look()).isInstanceOf(WatchdogVerdict.Healthy.class);
    }

    @Test
    void withLivenessOffUnpublishedWorkIsStillFatal() {
        Watchdog watchdog = watchdog(livenessOff());
        heartbeats.register("share_writer");
        clock.advance(Duration.ofSeconds(119));
        assertThat(watchdog.look()).isInstanceOf(WatchdogVerdict.Healthy.class);

        clock.advance(Duration.ofSeconds(2));
        watchdog.look();

        assertThat(fatal.snapshot().claimed()).contains(new FatalReason.Publication(Duration.ofMinutes(2)));
    }

    @Test
    void aStreakThatOpensDuringThePublicationCheckHoldsTheExitBack() {
        Watchdog watchdog = watchdog(WatchdogConfig.defaults(), () -> {
            budgets.coordinationBlocked(); // between the look and the claim
            return OptionalLong.of(0);
        });
        clock.advance(Duration.ofSeconds(200));

        assertThat(watchdog.look()).isInstanceOf(WatchdogVerdict.Healthy.class);
        assertThat(fatal.claimed()).isFalse();
    }

    @Test
    void workPublishedBetweenLookAndClaimHoldsTheExitBack() {
        boolean[] looked = new boolean[1];
        Watchdog watchdog = watchdog(WatchdogConfig.defaults(), () -> {
            OptionalLong since = looked[0] ? OptionalLong.empty() : OptionalLong.of(0);
            looked[0] = true;
            return since;
        });
        clock.advance(Duration.ofSeconds(200));

        assertThat(watchdog.look()).isInstanceOf(WatchdogVerdict.Healthy.class);
        assertThat(fatal.claimed()).isFalse();
    }

    @Test
    void goodNewsAfterTheClaimDoesNotCancelTheExit() {
        assertThat(fatal.claim(new FatalReason.Coordination(Duration.ofMinutes(15), Duration.ofSeconds(901))))
                .isTrue();
        budgets.refreshCompleted();

        fatal.end(fatal.snapshot().claimed().orElseThrow());

        assertThat(exits).containsExactly(1);
    }

    @Test
    void aSilentLoopIsFatalWithItsPhase() {
        Watchdog watchdog = watchdog(WatchdogConfig.defaults());
        progress.tipObserved(NEW, clock.nanoTime());
        progress.published(NEW, true);
        heartbeats.beat("block_submitter", "replay-outbox-query");
        clock.advance(Duration.ofSeconds(121));

        watchdog.look();

        assertThat(fatal.snapshot().claimed().map(FatalReason::detail))
                .contains("heartbeats overdue: block_submitter:replay-outbox-query timeout=120");
    }

    @Test
    void manySlowRowsAreProgressButOneHungRowIsNot() {
        Watchdog watchdog = watchdog(WatchdogConfig.defaults());
        progress.tipObserved(NEW, clock.nanoTime());
        progress.published(NEW, true);
        for (int row = 0; row < 100; row++) {
            heartbeats.beat("ctv_fanout_broadcaster");
            clock.advance(Duration.ofSeconds(5));
            assertThat(watchdog.look()).isInstanceOf(WatchdogVerdict.Healthy.class);
        }
        heartbeats.beat("ctv_fanout_broadcaster");
        clock.advance(Duration.ofSeconds(130));

        assertThat(watchdog.look()).isInstanceOf(WatchdogVerdict.Fatal.class);
    }

    @Test
    void theServiceEndsTheProcessWhenAStuckBlockCallAsksForIt() {
        Watchdog watchdog = watchdog(WatchdogConfig.defaults());
        ServiceRegistry registry = new ServiceRegistry(
                controller.stopSignal(), heartbeats, ServiceObserver.none(), Duration.ofMillis(250));
        registry.register(watchdog.service("prism-watchdog"));
        ServiceHandle handle = registry.start("watchdog");

        watchdog.requestFatalExit(new FatalReason.BlockWorkStuck(2, Duration.ofSeconds(31)));
        controller.request(OptionalInt.empty());

        await().until(() -> !handle.running());
        assertThat(exits).containsExactly(1);
        assertThat(fatal.snapshot().claimed().map(FatalReason::id)).contains("block_work_stuck");
    }

    @Test
    void theServiceEndsQuietlyWithAnOrdinaryStop() {
        Watchdog watchdog = watchdog(WatchdogConfig.defaults());
        ServiceRegistry registry = new ServiceRegistry(
                controller.stopSignal(), heartbeats, ServiceObserver.none(), Duration.ofMillis(250));
        registry.register(watchdog.service("prism-watchdog"));
        ServiceHandle handle = registry.start("watchdog");

        controller.request(OptionalInt.of(15));

        await().until(() -> !handle.running());
        assertThat(exits).isEmpty();
        assertThat(fatal.snapshot().claimed()).isEqualTo(Optional.empty());
    }

    @Test
    void waitsOnPurposeAreSlicedBelowTheTimeout() {
        assertThat(WatchdogConfig.defaults().waitSlice()).isEqualTo(Duration.ofMillis(250));
        WatchdogConfig tight = new WatchdogConfig(
                true, Duration.ofMillis(100), Duration.ofMillis(10), Duration.ZERO, Duration.ofSeconds(1));
        assertThat(tight.waitSlice()).isEqualTo(Duration.ofMillis(90));
    }

    private Watchdog watchdog(WatchdogConfig config) {
        return watchdog(config, progress::divergenceSinceNanos);
    }

    private Watchdog watchdog(WatchdogConfig config, PublicationDivergence divergence) {
        return new Watchdog(config, heartbeats, budgets, divergence, controller.stopSignal(), clock, fatal);
    }

    private static WatchdogConfig livenessOff() {
        WatchdogConfig on = WatchdogConfig.defaults();
        return new WatchdogConfig(false, on.timeout(), on.interval(), on.publicationBudget(), on.coordinationBudget());
    }
}
