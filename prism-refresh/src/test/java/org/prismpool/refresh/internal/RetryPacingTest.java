package org.prismpool.refresh.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.refresh.internal.RefreshRig.A;
import static org.prismpool.refresh.internal.RefreshRig.B;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The failure holdoff: spec 07 §2.7, acceptance A9. */
class RetryPacingTest {

    @Test
    void holdoffsAreSpreadOverAQuarterAboveTheConfiguredSecond() {
        Random random = new Random(7);
        RetryPacing pacing = new RetryPacing(Duration.ofSeconds(1), random::nextDouble);

        List<Long> holdoffs = IntStream.range(0, 10_000)
                .mapToObj(i -> {
                    pacing.failed(0, Optional.of(A));
                    return pacing.remaining(0, Optional.of(A)).toNanos();
                })
                .toList();

        assertThat(holdoffs).allMatch(nanos -> nanos >= 1_000_000_000L && nanos <= 1_250_000_000L);
        assertThat(Set.copyOf(holdoffs)).hasSizeGreaterThan(9_000);
    }

    @Test
    void anotherTipReleasesTheHoldoff() {
        RetryPacing pacing = new RetryPacing(Duration.ofSeconds(1), () -> 0.0);
        pacing.failed(0, Optional.of(A));

        assertThat(pacing.remaining(1, Optional.of(B))).isZero();
        assertThat(pacing.remaining(1, Optional.of(A))).isPositive();
    }

    @Test
    void aFailureBeforeAnyTipIsKnownIsHeldOffToo() {
        RetryPacing pacing = new RetryPacing(Duration.ofSeconds(1), () -> 0.0);
        pacing.failed(0, Optional.empty());

        assertThat(pacing.remaining(0, Optional.empty())).isEqualTo(Duration.ofSeconds(1));
        assertThat(pacing.remaining(0, Optional.of(A))).isZero();
    }

    @Test
    void zeroSwitchesTheHoldoffOffAndSuccessClearsIt() {
        RetryPacing off = new RetryPacing(Duration.ZERO, () -> 0.9);
        off.failed(0, Optional.of(A));
        assertThat(off.remaining(0, Optional.of(A))).isZero();

        RetryPacing pacing = new RetryPacing(Duration.ofSeconds(1), () -> 0.0);
        pacing.failed(0, Optional.of(A));
        pacing.completed();
        assertThat(pacing.remaining(0, Optional.of(A))).isZero();
    }
}
