package org.prismpool.refresh.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.prismpool.refresh.internal.RefreshRig.A;
import static org.prismpool.refresh.internal.RefreshRig.B;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.prismpool.refresh.RefreshPhase;
import org.prismpool.refresh.RefreshStatus;

/** The exposed phase: spec 07 §3.2, §3.10, A46. */
class ExposureTest {

    @Test
    void theExposedNamesAreTheNineOfTheContract() {
        assertThat(RefreshPhase.values())
                .extracting(RefreshPhase::wireName)
                .containsExactly(
                        "idle",
                        "refresh_lock",
                        "tip_rpc",
                        "template_rpc",
                        "client_selection",
                        "reorg_reconciliation",
                        "bundle_construction",
                        "publication",
                        "job_fanout");
    }

    @Test
    void aBuildUnderWayShowsItsPhaseTipGenerationAgeAndHelper() {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.chain.mine(B);
        rig.builder.takes = Duration.ofSeconds(10);
        rig.builder.whileBuilding = () -> rig.builder.pid = OptionalLong.of(4711);
        List<RefreshStatus> seen = new ArrayList<>();
        rig.time.in(Duration.ofSeconds(4), () -> seen.add(rig.engine.status()));

        rig.engine.attemptNow();

        RefreshStatus status = seen.get(0);
        assertThat(status.phase()).isEqualTo(RefreshPhase.BUNDLE_CONSTRUCTION);
        assertThat(status.tip()).contains(B);
        assertThat(status.generation()).isEqualTo(OptionalLong.of(2));
        assertThat(status.blockedPhaseSeconds()).isCloseTo(4.0, within(0.01));
        assertThat(status.helperPid()).isEqualTo(OptionalLong.of(4711));
        assertThat(status.newestPendingGeneration()).isPresent();
        assertThat(status.lastRefresh()).isPresent();
        assertThat(status.phaseStarted().unixSeconds()).isCloseTo(1_800_000_000.0, within(1.0));
    }

    @Test
    void anIdleDriverKeepsTheLastTipAndShowsNothingPending() {
        RefreshRig rig = new RefreshRig().settled(1);

        RefreshStatus status = rig.engine.status();

        assertThat(status.phase()).isEqualTo(RefreshPhase.IDLE);
        assertThat(status.tip()).contains(A);
        assertThat(status.newestPendingGeneration()).isEmpty();
        assertThat(status.helperPid()).isEmpty();
    }

    @Test
    void prewarmPublishesReadyWorkBeforeAnyoneIsThere() {
        RefreshRig rig = new RefreshRig();

        assertThat(rig.engine.prewarm().published()).isTrue();

        assertThat(rig.publishedTip()).isEqualTo(A);
        assertThat(rig.engine.authority().work().orElseThrow().bundle()).isPresent();
    }

    @Test
    void aDeferredPrewarmLatchesARetry() {
        RefreshRig rig = new RefreshRig();
        rig.chain.down = true;

        assertThat(rig.engine.prewarm().published()).isFalse();

        rig.chain.down = false;
        rig.driveUntil(Duration.ofMillis(1_200));
        assertThat(rig.publishedTip()).isEqualTo(A);
    }
}
