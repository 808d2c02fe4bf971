package org.prismpool.app.bench.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.prismpool.app.bench.jobs.InjectedWaits.Interval;

class InjectedWaitsTest {

    @Test
    void overlappingWaitsCountOnce() {
        List<Interval> waits = List.of(new Interval(10, 20), new Interval(15, 30), new Interval(40, 45));

        assertThat(InjectedWaits.covered(waits, 0, 100)).isEqualTo(25);
    }

    @Test
    void onlyThePartWithinTheSpanCounts() {
        List<Interval> waits = List.of(new Interval(0, 20), new Interval(90, 200));

        assertThat(InjectedWaits.covered(waits, 10, 100)).isEqualTo(20);
    }

    @Test
    void aWaitInsideAnotherAddsNothing() {
        assertThat(InjectedWaits.covered(List.of(new Interval(10, 50), new Interval(20, 30)), 0, 100))
                .isEqualTo(40);
    }

    @Test
    void aWaitThatIsRecordedIsSeen() {
        try (InjectedWaits waits = new InjectedWaits()) {
            waits.record(1, 2);

            assertThat(waits.intervals()).containsExactly(new Interval(1, 2));
            waits.clear();
            assertThat(waits.intervals()).isEmpty();
        }
    }
}
