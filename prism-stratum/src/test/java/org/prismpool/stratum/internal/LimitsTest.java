package org.prismpool.stratum.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitsTest {

    private static final long SECOND = 1_000_000_000L;

    @Test
    void extranoncesFollowTheConnectionNumberAndSkipZero() {
        Extranonces numbers = new Extranonces(0, 1L << 32, SECOND);
        assertThat(numbers.take(1, 0)).hasValue(1);
        assertThat(numbers.take(42, 0)).hasValue(42);

        Extranonces negative = new Extranonces(-2, 1L << 32, SECOND);
        assertThat(negative.take(1, 0)).hasValue(-1);
        assertThat(negative.take(2, 0)).as("0 is the placeholder").hasValue(1);
        assertThat(negative.take(3, 0)).as("1 is taken").hasValue(2);
    }

    @Test
    void anExtranonceRestsUntilItsJobsHaveExpired() {
        Extranonces numbers = new Extranonces(0, 256, 30 * SECOND);
        Set<Integer> seen = new HashSet<>();
        for (int id = 1; id <= 300; id++) {
            OptionalInt value = numbers.take(id, 0);
            if (id <= 255) {
                assertThat(seen.add(value.orElseThrow())).isTrue();
            } else {
                assertThat(value).isEmpty();
            }
        }
        assertThat(seen).doesNotContain(0);
        numbers.release(17, true, 0);
        assertThat(numbers.take(301, 30 * SECOND)).isEmpty();
        assertThat(numbers.take(302, 30 * SECOND + 1)).hasValue(17);
    }

    @Test
    void anExtranonceThatNoJobWasMadeWithIsFreeAtOnce() {
        Extranonces numbers = new Extranonces(0, 256, 30 * SECOND);
        for (int id = 1; id <= 10_000; id++) {
            numbers.release(numbers.take(id, 0).orElseThrow(), false, 0);
        }
        assertThat(numbers.take(5, 0)).hasValue(5);
    }

    @Test
    void outsidersCauseOneLogLineASecond() {
        LogGate gate = new LogGate(0);
        int lines = 0;
        for (int hello = 0; hello < 3000; hello++) {
            lines += gate.passes(hello * SECOND / 50) ? 1 : 0;
        }

        assertThat(lines).as("50 connections a second for a minute").isEqualTo(60);
    }

    @ParameterizedTest
    @CsvSource({
        "Too many open files, true",
        "accept4(..) failed with error(-24): Too many open files, true",
        "Cannot allocate memory, true",
        "Connection reset by peer, false",
    })
    void exhaustedDescriptorsAreToldFromOtherFaults(String message, boolean exhausted) {
        assertThat(AcceptHandler.exhausted(new IOException(message))).isEqualTo(exhausted);
        assertThat(AcceptHandler.exhausted(new IllegalStateException(message))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "'', UNDECIDED",
        "P, UNDECIDED",
        "PRO, UNDECIDED",
        "GET, UNDECIDED",
        "'GET /', FOREIGN",
        "'PROXY TCP4', FOREIGN",
        "'{\"id\":1}', LINES",
        "GETX, LINES",
    })
    void openingsOfOtherProtocolsAreRecognized(String text, ForeignBytes.Verdict verdict) {
        assertThat(ForeignBytes.judge(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1)))
                .isEqualTo(verdict);
    }
}
