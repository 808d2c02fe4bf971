package org.prismpool.sharewriter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;

class AnchorFloorTest {

    private final ManualClock clock = new ManualClock();
    private long now = 1_700_000_009_995L;
    private final AnchorFloor floor = new AnchorFloor(() -> now, clock);

    @Test
    void withoutHoldsTheAnchorIsJustBelowTheIssueTime() {
        assertThat(floor.anchor(1_700_000_010_000L)).isEqualTo(1_700_000_009_999L);
    }

    @Test
    void theLowestHeldStampDecides() {
        AnchorFloor.Hold first = floor.hold();
        now = 1_700_000_009_990L;
        AnchorFloor.Hold second = floor.hold();

        assertThat(floor.anchor(1_700_000_010_000L)).isEqualTo(1_700_000_009_989L);
        second.release();
        second.release();
        assertThat(floor.anchor(1_700_000_010_000L)).isEqualTo(1_700_000_009_994L);
        first.release();
        assertThat(floor.anchor(1_700_000_010_000L)).isEqualTo(1_700_000_009_999L);
    }

    @Test
    void aShareOfTheSameMillisecondIsNotCovered() {
        AnchorFloor.Hold hold = floor.hold();
        assertThat(floor.anchor(now)).isLessThan(hold.acceptedAtMs());
    }

    @Test
    void equalStampsAreHeldApart() {
        AnchorFloor.Hold first = floor.holdAt(5);
        AnchorFloor.Hold second = floor.holdAt(5);
        first.release();
        assertThat(floor.anchor(100)).isEqualTo(4);
        second.release();
        assertThat(floor.anchor(100)).isEqualTo(99);
    }

    @Test
    void anOldHoldIsReportedOnce() {
        floor.hold();
        clock.advance(Duration.ofSeconds(30));
        assertThat(floor.overdue(Duration.ofSeconds(30))).isEmpty();
        clock.advance(Duration.ofMillis(1));
        assertThat(floor.overdue(Duration.ofSeconds(30))).containsExactly(now);
        assertThat(floor.overdue(Duration.ofSeconds(30))).isEmpty();
    }
}
