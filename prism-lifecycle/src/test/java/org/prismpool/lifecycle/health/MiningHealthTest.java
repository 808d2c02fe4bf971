package org.prismpool.lifecycle.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;

class MiningHealthTest {

    private static final Duration GRACE = Duration.ofSeconds(30);

    private final ManualClock clock = new ManualClock();
    private final MiningHealth health = new MiningHealth(clock, GRACE, Duration.ofSeconds(30));

    @Test
    void nobodyThereIsHealthy() {
        clock.advance(Duration.ofDays(1));

        MiningVerdict verdict = health.judge(new View().view());

        assertThat(verdict.ok()).isTrue();
        assertThat(verdict.inStartupGrace()).isFalse();
        assertThat(verdict.overload()).isFalse();
    }

    @Test
    void coverageOfAlmost95PercentFailsAfterItsTimeAndRecoversAtOnce() {
        clock.advance(GRACE);
        View poor = new View();
        poor.authorized = 1_000;
        poor.covered = 949;
        assertThat(health.judge(poor.view()).ok()).isTrue();
        clock.advance(Duration.ofMillis(29_999));
        assertThat(health.judge(poor.view()).ok()).isTrue();
        clock.advance(Duration.ofMillis(1));

        MiningVerdict verdict = health.judge(poor.view());
        assertThat(verdict.reasons()).containsExactly(MiningReason.INITIAL_DELIVERY_STALLED);
        assertThat(verdict.coverageGapAge()).isEqualTo(Duration.ofSeconds(30));

        poor.covered = 950;
        assertThat(health.judge(poor.view()).ok()).isTrue();
        assertThat(health.judge(poor.view()).coverageGapAge()).isZero();
    }

    @Test
    void theCoverageClockStartsAgainWhenTheLastClientLeaves() {
        clock.advance(GRACE);
        View poor = new View();
        poor.authorized = 10;
        health.judge(poor.view());
        clock.advance(Duration.ofSeconds(29));
        poor.authorized = 0;
        health.judge(poor.view());
        poor.authorized = 10;
        health.judge(poor.view());
        clock.advance(Duration.ofSeconds(29));

        assertThat(health.judge(poor.view()).ok()).isTrue();
    }

    @Test
    void nothingLastingIsReportedDuringTheStartupGrace() {
        View view = new View();
        view.authorized = 10;
        view.genuine = Duration.ofSeconds(60);
        clock.advance(Duration.ofSeconds(29));
        assertThat(health.judge(view.view()).ok()).isTrue();
        assertThat(health.judge(view.view()).inStartupGrace()).isTrue();

        clock.advance(Duration.ofSeconds(1));

        assertThat(health.judge(view.view()).reasons()).containsExactly(MiningReason.INITIAL_DELIVERY_STALLED);
    }

    @Test
    void aTimeoutOfZeroSwitchesTheLastingReasonsOff() {
        MiningHealth off = new MiningHealth(clock, Duration.ZERO, Duration.ZERO);
        View view = new View();
        view.authorized = 10;
        view.pending = 8;
        view.genuine = Duration.ofHours(1);
        off.judge(view.view());
        clock.advance(Duration.ofHours(1));

        assertThat(off.judge(view.view()).ok()).isTrue();
    }

    @Test
    void aClientThatOnceHadWorkOnlyMovesTheCoverageClock() {
        clock.advance(GRACE);
        View view = new View();
        view.authorized = 1;
        view.genuine = Duration.ZERO; // it was delivered work before
        health.judge(view.view());
        clock.advance(Duration.ofSeconds(29));
        assertThat(health.judge(view.view()).ok()).isTrue();

        clock.advance(Duration.ofSeconds(1));
        assertThat(health.judge(view.view()).reasons()).containsExactly(MiningReason.INITIAL_DELIVERY_STALLED);
    }

    @Test
    void aFullWaitingSetIsReportedAfterItsTime() {
        clock.advance(GRACE);
        View full = new View();
        full.pending = 8;
        MiningVerdict first = health.judge(full.view());
        assertThat(first.ok()).isTrue();
        assertThat(first.overload()).isTrue();
        clock.advance(Duration.ofSeconds(30));

        MiningVerdict verdict = health.judge(full.view());
        assertThat(verdict.reasons()).containsExactly(MiningReason.PENDING_INITIAL_JOBS_SATURATED);
        assertThat(verdict.overloadAge()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void aFullListenerMattersOnlyWhileCoverageIsPoor() {
        clock.advance(GRACE);
        View full = new View();
        full.connections = 100;
        full.connectionCapacity = 100;
        full.authorized = 100;
        full.covered = 100;
        health.judge(full.view());
        clock.advance(Duration.ofSeconds(30));
        assertThat(health.judge(full.view()).ok()).isTrue();

        full.covered = 10;
        health.judge(full.view());
        clock.advance(Duration.ofSeconds(30));
        assertThat(health.judge(full.view()).reasons())
                .containsExactly(MiningReason.INITIAL_DELIVERY_STALLED, MiningReason.CONNECTION_CAPACITY_SATURATED);
    }

    @Test
    void anUnlimitedListenerIsNeverFull() {
        clock.advance(GRACE);
        View open = new View();
        open.connections = 1_000_000;
        open.connectionCapacity = 0;
        open.authorized = 10;

        assertThat(health.judge(open.view()).overload()).isFalse();
    }

    @Test
    void aStormOfStaleSharesNeedsNoTimeButPoorCoverage() {
        clock.advance(GRACE);
        View storm = new View();
        storm.authorized = 10;
        storm.submitted = 100;
        storm.stale = 95;
        MiningVerdict verdict = health.judge(storm.view());
        assertThat(verdict.reasons()).containsExactly(MiningReason.STALE_UNKNOWN_REJECTION_STORM);
        assertThat(verdict.overload()).isTrue();

        storm.stale = 94;
        assertThat(health.judge(storm.view()).ok()).isTrue();
        storm.stale = 95;
        storm.covered = 10;
        assertThat(health.judge(storm.view()).ok()).isTrue();
    }

    @Test
    void aLostOrSpooledBlockNeedsNoGrace() {
        View lost = new View();
        lost.offChain = true;
        lost.spooled = true;

        assertThat(health.judge(lost.view()).reasons())
                .containsExactly(MiningReason.MATURE_BLOCK_OFF_CHAIN, MiningReason.BLOCK_CANDIDATE_SPOOLED);
        assertThat(health.judge(new View().view()).ok()).isTrue();
    }

    @Test
    void theIdsAreThoseOfTheContract() {
        assertThat(MiningReason.values())
                .extracting(MiningReason::id)
                .containsExactly(
                        "initial-delivery-stalled",
                        "pending-initial-jobs-saturated",
                        "connection-capacity-saturated",
                        "stale-unknown-rejection-storm",
                        "mature-block-off-chain",
                        "block-candidate-spooled");
    }

    /** A view in the making: nothing is wrong until a test says so. */
    private static final class View {
        private int authorized;
        private int covered;
        private int pending;
        private int connections;
        private int connectionCapacity;
        private Duration genuine = Duration.ZERO;
        private long submitted;
        private long stale;
        private boolean offChain;
        private boolean spooled;

        private DeliveryView view() {
            return new DeliveryView(
                    authorized,
                    covered,
                    pending,
                    8,
                    connections,
                    connectionCapacity,
                    genuine,
                    submitted,
                    stale,
                    offChain,
                    spooled);
        }
    }
}
