package org.prismpool.sharewriter.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FanoutStatusTest {

    @ParameterizedTest
    @CsvSource({
        "BROADCASTABLE, PLANNED, BROADCASTABLE",
        "BROADCASTABLE, SUBMITTED, BROADCAST_SUBMITTED",
        "BROADCASTABLE, ACCEPTED, BROADCAST_SUBMITTED",
        "BROADCASTABLE, REJECTED, FAILED",
        "BROADCASTABLE, FAILED, FAILED",
        "BROADCAST_SUBMITTED, PLANNED, BROADCAST_SUBMITTED",
        "BROADCAST_SUBMITTED, REJECTED, FAILED",
        "AWAITING_MATURITY, PLANNED, AWAITING_MATURITY",
    })
    void anAttemptMovesARowThatIsNotTerminal(FanoutStatus before, AttemptStatus attempt, FanoutStatus after) {
        assertThat(before.after(attempt)).isEqualTo(after);
    }

    @ParameterizedTest
    @EnumSource
    void noAttemptMovesATerminalRow(AttemptStatus attempt) {
        assertThat(FanoutStatus.CONFIRMED.after(attempt)).isEqualTo(FanoutStatus.CONFIRMED);
        assertThat(FanoutStatus.REORGED.after(attempt)).isEqualTo(FanoutStatus.REORGED);
        assertThat(FanoutStatus.FAILED.after(attempt)).isEqualTo(FanoutStatus.FAILED);
    }
}
