package org.prismpool.sharewriter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.prismpool.sharewriter.ShareWriterConfig;

class BatchPolicyTest {

    private static final long MILLI = 1_000_000;

    private final BatchPolicy policy = new BatchPolicy(ShareWriterConfig.DEFAULTS);

    @Test
    void anIdleWriterDoesNotWait() {
        assertThat(policy.gatherNanos(1, 0, 100 * MILLI)).isZero();
        assertThat(policy.gatherNanos(1, 3, 100 * MILLI)).isZero();
    }

    @Test
    void aBatchThatGrewDuringTheCommitDoesNotWait() {
        assertThat(policy.gatherNanos(17, 64, 100 * MILLI)).isZero();
    }

    @Test
    void aMuchSmallerBatchWaitsAnEighthOfACommitAndNeverLongerThanTheLinger() {
        assertThat(policy.gatherNanos(16, 64, 8 * MILLI)).isEqualTo(MILLI);
        assertThat(policy.gatherNanos(16, 64, 1000 * MILLI)).isEqualTo(5 * MILLI);
        BatchPolicy noLinger =
                new BatchPolicy(ShareWriterConfig.DEFAULTS.with(64, Duration.ZERO, Duration.ofSeconds(15)));
        assertThat(noLinger.gatherNanos(16, 64, 1000 * MILLI)).isZero();
    }

    @Test
    void aBacklogIsTakenInBursts() {
        assertThat(policy.limit(64)).isEqualTo(64);
        assertThat(policy.limit(65)).isEqualTo(1024);
    }
}
