package org.prismpool.lifecycle.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FailurePolicyTest {

    @Test
    void thePauseDoublesUpToItsLimit() {
        FailurePolicy policy = FailurePolicy.backoff(Duration.ofMillis(250), Duration.ofSeconds(1));

        assertThat(policy.pauseAfter(1)).isEqualTo(Duration.ofMillis(250));
        assertThat(policy.pauseAfter(2)).isEqualTo(Duration.ofMillis(500));
        assertThat(policy.pauseAfter(3)).isEqualTo(Duration.ofSeconds(1));
        assertThat(policy.pauseAfter(1_000_000)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aConstantPauseStays() {
        assertThat(FailurePolicy.continueAfter(Duration.ofSeconds(5)).pauseAfter(9))
                .isEqualTo(Duration.ofSeconds(5));
        assertThat(FailurePolicy.continueAfter(Duration.ZERO).pauseAfter(9)).isEqualTo(Duration.ZERO);
    }

    @Test
    void pausesCannotShrink() {
        assertThatThrownBy(() -> FailurePolicy.backoff(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
