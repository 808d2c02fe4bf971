package org.prismpool.payout.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OverlappedSha256Test {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 262_143, 262_144, 262_145, 4_000_000})
    void theDigestIsThatOfTheSameBytes(int length) {
        byte[] bytes = new byte[length];
        new Random(3).nextBytes(bytes);

        byte[] digest = OverlappedSha256.of(sink -> {
            int at = 0;
            for (int step = 1; at < length; step = step * 3 % 70_001 + 1) {
                int count = Math.min(step, length - at);
                sink.accept(bytes, at, count);
                at += count;
            }
        });

        assertThat(digest).isEqualTo(Sha256.hash(bytes));
    }

    @Test
    void aFailingProducerLeavesNoThreadBehind() {
        assertThatThrownBy(() -> OverlappedSha256.of(sink -> {
                    sink.accept(new byte[900_000], 0, 900_000);
                    throw new IllegalStateException("stopped");
                }))
                .hasMessage("stopped");

        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("prism-payout-hash"));
    }
}
