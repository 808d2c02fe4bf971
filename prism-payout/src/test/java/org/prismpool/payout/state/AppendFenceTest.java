package org.prismpool.payout.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;

class AppendFenceTest {

    private final List<Long> bumps = new ArrayList<>();
    private final ManualClock manual = new ManualClock();
    private final AppendFence fence = new AppendFence(
            Duration.ofSeconds(300), Duration.ofMillis(200), (epoch, stamp) -> bumps.add(stamp), manual);

    @ParameterizedTest
    @CsvSource({"900,1000,true", "900,1001,false", "1001,900,false"})
    void aRowPredatesAnAnchorIfNeitherOfItsStampsIsLater(long issued, long accepted, boolean predates)
            throws Exception {
        fence.arm(1000);

        append(new RowStamp(issued, accepted));

        assertThat(new RowStamp(issued, accepted).predates(1000)).isEqualTo(predates);
        assertThat(fence.epoch()).isEqualTo(predates ? 1 : 0);
    }

    @ParameterizedTest
    @CsvSource({"5000,,4999", "5000,4700,4699", "4000,4700,3999"})
    void theCleanAnchorLiesBelowNowAndBelowEveryPendingShare(long now, Long pending, long anchor) {
        OptionalLong oldest = pending == null ? OptionalLong.empty() : OptionalLong.of(pending);

        assertThat(CleanAnchor.at(now, oldest)).isEqualTo(anchor);
    }

    @Test
    void anOrdinaryAppendTakesNoFence() throws Exception {
        fence.arm(1000);

        try (AppendTicket ticket = fence.begin(List.of(new RowStamp(1001, 1002)))) {
            assertThat(ticket.fenced()).isFalse();
        }
    }

    @Test
    void aPredatingAppendHoldsTheFenceAcrossItsCommit() throws Exception {
        fence.arm(1000);

        try (AppendTicket ticket = fence.begin(List.of(new RowStamp(900, 900)))) {
            assertThat(ticket.fenced()).isTrue();
            assertThat(fence.land(500, 0, real(Duration.ofMillis(100)), CancelSignal.never()))
                    .isInstanceOf(LandingDecision.TimedOut.class);
            ticket.committed();
        }
        assertThat(bumps).containsExactly(900L);
    }

    @Test
    void disarmingAWindowKeepsItsAnchorLive() throws Exception {
        fence.arm(1000);
        fence.disarm();

        append(new RowStamp(900, 900));

        assertThat(fence.epoch()).isEqualTo(1);
    }

    @Test
    void anOlderWindowDoesNotLowerTheLatestAnchor() throws Exception {
        fence.keptWindow(OptionalLong.of(2000));
        fence.keptWindow(OptionalLong.of(1000));

        append(new RowStamp(1500, 1500));

        assertThat(fence.epoch()).isEqualTo(1);
    }

    @Test
    void anExposedAnchorCountsUntilItIsRetired() throws Exception {
        AnchorExposure exposure = fence.expose(1000);
        append(new RowStamp(900, 900));
        assertThat(fence.epoch()).isEqualTo(1);

        exposure.close();
        append(new RowStamp(900, 901));

        assertThat(fence.epoch()).isEqualTo(1);
    }

    @Test
    void aForgottenExposureStopsToCountAfterTheMaximumAge() throws Exception {
        fence.expose(1000);
        manual.advance(Duration.ofSeconds(301));

        append(new RowStamp(900, 900));

        assertThat(fence.epoch()).isZero();
    }

    @Test
    void aBumpAboveItsAnchorLeavesWorkAlone() throws Exception {
        fence.arm(1000);
        append(new RowStamp(900, 900));

        assertThat(fence.survives(899, 0)).isTrue();
        assertThat(fence.survives(900, 0)).isFalse();
        assertThat(fence.survives(900, 1)).isTrue();
    }

    @Test
    void anUnknownBaselineOrAForgottenHistoryCountsAsStale() throws Exception {
        fence.arm(100_000);
        assertThat(fence.survives(10, -1)).isFalse();
        for (int i = 0; i < 257; i++) {
            fence.arm(100_000);
            append(new RowStamp(50_000, 50_000));
        }

        assertThat(fence.epoch()).isEqualTo(257);
        assertThat(fence.survives(10, 0)).as("the first bump is forgotten").isFalse();
        assertThat(fence.survives(10, 1)).isTrue();
    }

    @Test
    void aLandingWaitsForAppendsBelowItsAnchorAndSeesTheirBump() throws Exception {
        AppendTicket slow = fence.begin(List.of(new RowStamp(900, 900)));
        CompletableFuture<LandingDecision> landing = CompletableFuture.supplyAsync(() -> {
            try {
                return fence.land(1000, 0, real(Duration.ofSeconds(10)), CancelSignal.never());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Awaitility.await("anchor exposed").until(() -> {
            try (AppendTicket probe = fence.begin(List.of(new RowStamp(950, 950)))) {
                return probe.fenced();
            }
        });
        assertThat(landing).isNotDone();

        slow.committed();
        slow.close();

        assertThat(landing.get()).isInstanceOf(LandingDecision.Stale.class);
    }

    @Test
    void aLandingDoesNotWaitForAppendsAboveItsAnchor() throws Exception {
        AppendTicket later = fence.begin(List.of(new RowStamp(2000, 2000)));

        LandingDecision decision = fence.land(1000, 0, real(Duration.ofSeconds(5)), CancelSignal.never());

        assertThat(decision).isInstanceOf(LandingDecision.Permitted.class);
        ((LandingDecision.Permitted) decision).permit().close();
        later.close();
    }

    @Test
    void anAppendBelowTheAnchorOfALandingInProgressWaitsForItAndThenBumps() throws Exception {
        LandingDecision.Permitted landing =
                (LandingDecision.Permitted) fence.land(1000, 0, real(Duration.ofSeconds(5)), CancelSignal.never());
        assertThatThrownBy(() -> fence.begin(List.of(new RowStamp(900, 900))))
                .isInstanceOf(AppendFenceTimeoutException.class);

        landing.permit().close();
        append(new RowStamp(900, 900));

        assertThat(fence.epoch()).as("the landed block's anchor stays live").isEqualTo(1);
    }

    @Test
    void aCancelledLandingEnds() throws Exception {
        AppendTicket slow = fence.begin(List.of(new RowStamp(900, 900)));
        CancelSource cancel = new CancelSource();
        cancel.cancel("shutdown");

        assertThat(fence.land(1000, 0, real(Duration.ofSeconds(5)), cancel))
                .isInstanceOf(LandingDecision.Cancelled.class);
        slow.close();
    }

    private void append(RowStamp row) throws InterruptedException {
        try (AppendTicket ticket = fence.begin(List.of(row))) {
            ticket.committed();
        }
    }

    private static Deadline real(Duration budget) {
        return Deadline.after(budget, MonotonicClock.system(), "test");
    }
}
