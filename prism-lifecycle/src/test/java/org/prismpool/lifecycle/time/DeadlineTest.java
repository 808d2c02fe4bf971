package org.prismpool.lifecycle.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;

class DeadlineTest {

    private final ManualClock clock = new ManualClock();

    @Test
    void itPassesWhenItsBudgetIsUsedUp() {
        Deadline deadline = Deadline.after(Duration.ofSeconds(2), clock, "refresh");

        clock.advance(Duration.ofMillis(1_999));
        assertThat(deadline.expired()).isFalse();
        assertThat(deadline.remaining()).isEqualTo(Duration.ofMillis(1));

        clock.advance(Duration.ofMillis(1));
        assertThat(deadline.expired()).isTrue();
        assertThat(deadline.remainingNanos()).isZero();
    }

    @Test
    void checkNamesOwnerAndPhase() {
        Deadline deadline = Deadline.after(Duration.ZERO, clock, "refresh");

        assertThatThrownBy(() -> deadline.check("tip_rpc"))
                .isInstanceOfSatisfying(DeadlineExceededException.class, e -> {
                    assertThat(e.owner()).isEqualTo("refresh");
                    assertThat(e.phase()).isEqualTo("tip_rpc");
                });
    }

    @Test
    void aChildNeverOutlivesItsParent() {
        Deadline parent = Deadline.after(Duration.ofSeconds(2), clock, "refresh");

        assertThat(parent.within(Duration.ofSeconds(5), "build").owner()).isEqualTo("refresh");
        assertThat(parent.within(Duration.ofSeconds(1), "build").remaining()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void anUnboundedOneNeverPasses() {
        Deadline deadline = Deadline.unbounded(clock, "process");

        clock.advance(Duration.ofDays(365));

        assertThat(deadline.expired()).isFalse();
        assertThat(deadline.within(Duration.ofSeconds(1), "step").remaining()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aBudgetBeyondNanosecondsIsUnbounded() {
        Deadline deadline = Deadline.after(Duration.ofSeconds(Long.MAX_VALUE), clock, "process");

        assertThat(deadline.remainingNanos()).isEqualTo(Long.MAX_VALUE);
    }
}
