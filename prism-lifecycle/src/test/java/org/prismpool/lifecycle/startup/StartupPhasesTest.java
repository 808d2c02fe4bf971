package org.prismpool.lifecycle.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;

class StartupPhasesTest {

    @Test
    void aMilestoneIsWrittenOnce() {
        ManualClock clock = new ManualClock();
        StartupPhases phases = new StartupPhases(clock);
        clock.advance(Duration.ofSeconds(2));

        assertThat(phases.reached(StartupPhase.NODE_RPC_READY)).isTrue();
        clock.advance(Duration.ofSeconds(3));
        assertThat(phases.reached(StartupPhase.NODE_RPC_READY)).isFalse();

        assertThat(phases.all()).isEqualTo(Map.of(StartupPhase.NODE_RPC_READY, Duration.ofSeconds(2)));
    }
}
