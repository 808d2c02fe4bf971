package org.prismpool.lifecycle.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class WatchdogVerdictTest {

    private static final WatchdogConfig CONFIG = WatchdogConfig.defaults();
    private static final WatchdogConfig LIVENESS_OFF = new WatchdogConfig(
            false, CONFIG.timeout(), CONFIG.interval(), CONFIG.publicationBudget(), CONFIG.coordinationBudget());

    @Test
    void nothingWrongIsHealthy() {
        assertThat(WatchdogVerdict.of(new View().view(), CONFIG)).isInstanceOf(WatchdogVerdict.Healthy.class);
    }

    @Test
    void aStopEndsTheWatchdogWhateverElseIsWrong() {
        View view = new View();
        view.stopping = true;
        view.divergence = Optional.of(Duration.ofSeconds(500));
        view.overdue.add("share_writer");

        assertThat(WatchdogVerdict.of(view.view(), CONFIG)).isInstanceOf(WatchdogVerdict.Over.class);
    }

    @Test
    void aRequestedExitWinsOverTheStop() {
        FatalReason stuck = new FatalReason.BlockWorkStuck(2, Duration.ofSeconds(31));
        View view = new View();
        view.stopping = true;
        view.requested = Optional.of(stuck);

        assertThat(reason(view, CONFIG)).isEqualTo(stuck);
    }

    @Test
    void anExpiredStreakComesFirst() {
        View view = new View();
        view.streak = Optional.of(Duration.ofMinutes(15));
        view.divergence = Optional.of(Duration.ofMinutes(15));
        view.overdue.add("share_writer");

        assertThat(reason(view, CONFIG))
                .isEqualTo(new FatalReason.Coordination(Duration.ofMinutes(15), Duration.ofMinutes(15)));
    }

    @Test
    void aYoungStreakHoldsThePublicationBudgetBack() {
        View view = new View();
        view.streak = Optional.of(Duration.ofSeconds(130));
        view.divergence = Optional.of(Duration.ofSeconds(130));

        assertThat(WatchdogVerdict.of(view.view(), CONFIG)).isInstanceOf(WatchdogVerdict.Healthy.class);
    }

    @Test
    void aYoungStreakDoesNotHoldLivenessBack() {
        View view = new View();
        view.streak = Optional.of(Duration.ofSeconds(130));
        view.overdue.add("share_writer");

        assertThat(reason(view, CONFIG)).isInstanceOf(FatalReason.Liveness.class);
    }

    @Test
    void unpublishedWorkIsFatalAtItsBudget() {
        View view = new View();
        view.divergence = Optional.of(Duration.ofMinutes(2).minusNanos(1));
        assertThat(WatchdogVerdict.of(view.view(), CONFIG)).isInstanceOf(WatchdogVerdict.Healthy.class);

        view.divergence = Optional.of(Duration.ofMinutes(2));
        assertThat(reason(view, CONFIG)).isEqualTo(new FatalReason.Publication(Duration.ofMinutes(2)));
    }

    @Test
    void switchingLivenessOffLeavesThePublicationBudgetOn() {
        View view = new View();
        view.overdue.add("share_writer");
        assertThat(WatchdogVerdict.of(view.view(), LIVENESS_OFF)).isInstanceOf(WatchdogVerdict.Healthy.class);

        view.divergence = Optional.of(Duration.ofMinutes(2));
        assertThat(reason(view, LIVENESS_OFF)).isInstanceOf(FatalReason.Publication.class);

        view.streak = Optional.of(Duration.ofMinutes(15));
        assertThat(reason(view, LIVENESS_OFF)).isInstanceOf(FatalReason.Coordination.class);
    }

    @Test
    void aPublicationBudgetOfZeroIsOff() {
        WatchdogConfig off = new WatchdogConfig(
                true, CONFIG.timeout(), CONFIG.interval(), Duration.ZERO, CONFIG.coordinationBudget());
        View view = new View();
        view.divergence = Optional.of(Duration.ofDays(1));

        assertThat(WatchdogVerdict.of(view.view(), off)).isInstanceOf(WatchdogVerdict.Healthy.class);
    }

    @Test
    void theDiagnosticsNameTheirNumbers() {
        TreeSet<String> overdue = new TreeSet<>(List.of("share_writer", "block_submitter:replay-outbox-query"));

        assertThat(new FatalReason.Liveness(overdue, Duration.ofMinutes(2)).detail())
                .isEqualTo("heartbeats overdue: block_submitter:replay-outbox-query, share_writer timeout=120");
        assertThat(new FatalReason.Publication(Duration.ofMinutes(2)).detail())
                .isEqualTo("current work was not published within budget=120");
        assertThat(new FatalReason.Coordination(Duration.ofMinutes(15), Duration.ofMillis(900_250)).detail())
                .isEqualTo("refresh coordination blocked budget=900 streak_age=900.250");
        assertThat(new FatalReason.LeaseHeartbeat("silent", Duration.ofMillis(760), Duration.ofMillis(810)).detail())
                .isEqualTo("writer lease not proved: silent activity_age=0.760 server_proven_age=0.810");
        assertThat(new FatalReason.RefreshFailure(Duration.ofMinutes(2), Duration.ofSeconds(121)).detail())
                .isEqualTo("refresh kept failing budget=120 failing_for=121.000");
        assertThat(new FatalReason.BlockWorkStuck(2, Duration.ofMillis(30_500)).detail())
                .isEqualTo("block calls stuck: detached_calls=2 oldest_age=30.500");
    }

    @Test
    void theIdsAreThoseOfTheContract() {
        assertThat(List.of(
                        new FatalReason.Liveness(new TreeSet<>(), Duration.ZERO).id(),
                        new FatalReason.Publication(Duration.ZERO).id(),
                        new FatalReason.Coordination(Duration.ZERO, Duration.ZERO).id(),
                        new FatalReason.LeaseHeartbeat("", Duration.ZERO, Duration.ZERO).id(),
                        new FatalReason.RefreshFailure(Duration.ZERO, Duration.ZERO).id(),
                        new FatalReason.BlockWorkStuck(0, Duration.ZERO).id()))
                .containsExactly(
                        "liveness",
                        "publication",
                        "coordination",
                        "lease_heartbeat",
                        "refresh_failure",
                        "block_work_stuck");
    }

    private static FatalReason reason(View view, WatchdogConfig config) {
        WatchdogVerdict verdict = WatchdogVerdict.of(view.view(), config);
        assertThat(verdict).isInstanceOf(WatchdogVerdict.Fatal.class);
        return ((WatchdogVerdict.Fatal) verdict).reason();
    }

    /** A view in the making: nothing is wrong until a test says so. */
    private static final class View {
        private boolean stopping;
        private Optional<FatalReason> requested = Optional.empty();
        private Optional<Duration> streak = Optional.empty();
        private Optional<Duration> divergence = Optional.empty();
        private final TreeSet<String> overdue = new TreeSet<>();

        private WatchdogView view() {
            return new WatchdogView(stopping, requested, streak, divergence, overdue);
        }
    }
}
