package org.prismpool.sharewriter.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.prismpool.sharewriter.lease.LeaseState.AcquireAction;
import org.prismpool.sharewriter.lease.LeaseState.AcquireStep;
import org.prismpool.sharewriter.lease.LeaseState.HeartbeatStep;

class LeaseStateTest {

    private static final LeaseIdentity OURS = new LeaseIdentity("w", 1, "heartbeat-v1:ours");
    private static final Duration SILENCE = Duration.ofSeconds(1);

    private static LeaseHolder holder(String id, long epoch, String token, long ageMs, long leftMs) {
        return new LeaseHolder(id, epoch, token, "2026-11-30", 1, Duration.ofMillis(ageMs), Duration.ofMillis(leftMs));
    }

    private static AcquireStep onHolder(LeaseHolder holder, long guardMs) {
        long nanos = guardMs < 0 ? -1 : TimeUnit.MILLISECONDS.toNanos(guardMs);
        return LeaseState.onHolder(OURS, holder, nanos, SILENCE);
    }

    @Test
    void anotherWriterOrEpochFailsFast() {
        assertThat(onHolder(holder("x", 1, "t", 0, 60_000), 5000).action()).isEqualTo(AcquireAction.FAIL);
        assertThat(onHolder(holder("w", 2, "t", 0, 60_000), 5000).action()).isEqualTo(AcquireAction.FAIL);
    }

    @Test
    void adoptionNeedsAFullSilenceFromBothEdges() {
        LeaseHolder old = holder("w", 1, "heartbeat-v1:theirs", 300_000, 40_000);
        assertThat(onHolder(old, 0)).isEqualTo(new AcquireStep(AcquireAction.WAIT, SILENCE));
        assertThat(onHolder(old, 400)).isEqualTo(new AcquireStep(AcquireAction.WAIT, Duration.ofMillis(600)));
        assertThat(onHolder(old, 1000).action()).isEqualTo(AcquireAction.ADOPT);
        LeaseHolder fresh = holder("w", 1, "heartbeat-v1:theirs", 200, 40_000);
        assertThat(onHolder(fresh, 5000)).isEqualTo(new AcquireStep(AcquireAction.WAIT, Duration.ofMillis(800)));
    }

    @Test
    void withoutGuardOrPromiseOnlyTheExpiryHelps() {
        LeaseHolder promising = holder("w", 1, "heartbeat-v1:theirs", 5000, 7000);
        assertThat(onHolder(promising, -1)).isEqualTo(new AcquireStep(AcquireAction.WAIT, Duration.ofSeconds(7)));
        assertThat(onHolder(holder("w", 1, "plain", 5000, 60_000), 5000))
                .isEqualTo(new AcquireStep(AcquireAction.WAIT, Duration.ofSeconds(15)));
        assertThat(onHolder(holder("w", 1, "plain", 5000, 0), 5000))
                .isEqualTo(new AcquireStep(AcquireAction.WAIT, Duration.ofMillis(250)));
    }

    private static HeartbeatReport report(
            boolean guard, boolean current, boolean renewed, boolean expired, boolean margin, boolean ours) {
        return new HeartbeatReport(guard, current, renewed, expired, margin, ours);
    }

    @Test
    void everyObservationHasItsDecision() {
        assertThat(LeaseState.onHeartbeat(report(false, true, true, false, false, false), false))
                .isEqualTo(HeartbeatStep.LOST);
        assertThat(LeaseState.onHeartbeat(report(true, false, true, false, false, false), false))
                .isEqualTo(HeartbeatStep.LOST);
        assertThat(LeaseState.onHeartbeat(report(true, true, true, true, true, false), false))
                .isEqualTo(HeartbeatStep.HEALTHY);
        assertThat(LeaseState.onHeartbeat(report(true, true, false, false, false, false), false))
                .isEqualTo(HeartbeatStep.HEALTHY);
        assertThat(LeaseState.onHeartbeat(report(true, true, false, false, true, true), false))
                .isEqualTo(HeartbeatStep.DEFERRED);
        assertThat(LeaseState.onHeartbeat(report(true, true, false, true, true, true), false))
                .isEqualTo(HeartbeatStep.DEFERRED);
        assertThat(LeaseState.onHeartbeat(report(true, true, false, true, true, false), false))
                .isEqualTo(HeartbeatStep.RECHECK);
        assertThat(LeaseState.onHeartbeat(report(true, true, false, true, true, false), true))
                .isEqualTo(HeartbeatStep.LOST);
    }

    @Test
    void twoSlowStatementsInARowAreWithinTheBudgets() {
        LeaseTiming timing = LeaseTiming.DEFAULTS;
        long ms = TimeUnit.MILLISECONDS.toNanos(1);
        // each answered 450 ms after it was sent
        assertThat(LeaseState.silentTooLong(449 * ms, 0, 0, timing)).isFalse();
        assertThat(LeaseState.silentTooLong(899 * ms, 450 * ms, 450 * ms, timing))
                .isFalse();
        assertThat(LeaseState.silentTooLong(751 * ms, 0, 700 * ms, timing)).isTrue();
        assertThat(LeaseState.silentTooLong(801 * ms, 800 * ms, 0, timing)).isTrue();
        assertThat(timing.serverProvenCap()).isEqualTo(Duration.ofMillis(800));
    }

    @Test
    void aBrokenEnvelopeIsRefused() {
        Duration ms = Duration.ofMillis(1);
        assertThatThrownBy(() -> new LeaseTiming(
                        ms.multipliedBy(1000),
                        ms.multipliedBy(800),
                        ms.multipliedBy(750),
                        ms.multipliedBy(50),
                        ms.multipliedBy(100),
                        ms.multipliedBy(500),
                        ms.multipliedBy(250)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LeaseTiming(
                        ms.multipliedBy(950),
                        ms.multipliedBy(250),
                        ms.multipliedBy(750),
                        ms.multipliedBy(50),
                        ms.multipliedBy(100),
                        ms.multipliedBy(500),
                        ms.multipliedBy(250)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("silence");
    }

    @Test
    void aMarginThatDoesNotFitTheTtlIsRefusedNamingBoth() {
        assertThat(LeaseConfig.of(OURS).authorityMargin()).isEqualTo(Duration.ofSeconds(30));
        assertThatThrownBy(() -> new LeaseConfig(
                        OURS,
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(5),
                        5,
                        LeaseTiming.DEFAULTS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT15S")
                .hasMessageContaining("PT10S");
    }

    @Test
    void theTokenStaysOutOfTheText() {
        assertThat(OURS.toString()).doesNotContain("ours");
        assertThat(holder("w", 1, "heartbeat-v1:theirs", 10, 20).toString())
                .contains("writerId=w", "sessionToken=***")
                .doesNotContain("theirs");
    }
}
