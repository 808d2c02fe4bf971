package org.prismpool.stratum.share;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.prismpool.stratum.share.NtimeWindow.Position;

/** Spec 02 §7.2. */
class NtimeWindowTest {

    private static final long MIN = 1000;
    private static final long CUR = 5000;

    @ParameterizedTest
    @CsvSource({
        "999, TOO_EARLY",
        "1000, INSIDE",
        "5600, INSIDE",
        "5601, TOO_LATE",
        "0, TOO_EARLY",
        "4294967295, TOO_LATE",
    })
    void theWindowReachesFromTheEarliestTimeToTheForwardLimit(long ntime, Position position) {
        assertThat(NtimeWindow.place(ntime, MIN, CUR, CUR, 600, 600)).isEqualTo(position);
    }

    @Test
    void theLaterOfTemplateAndWallClockCounts() {
        assertThat(NtimeWindow.place(6600, MIN, CUR, 6000, 600, 600)).isEqualTo(Position.INSIDE);
        assertThat(NtimeWindow.place(5600, MIN, CUR, 10, 600, 600)).isEqualTo(Position.INSIDE);
    }

    @Test
    void theLargerForwardLimitCounts() {
        assertThat(NtimeWindow.place(12200, MIN, CUR, CUR, 600, 7200)).isEqualTo(Position.INSIDE);
        assertThat(NtimeWindow.place(12201, MIN, CUR, CUR, 600, 7200)).isEqualTo(Position.TOO_LATE);
        assertThat(NtimeWindow.place(6000, MIN, CUR, CUR, 1000, 600)).isEqualTo(Position.INSIDE);
    }

    @Test
    void aLimitOfZeroSwitchesTheCheckOff() {
        assertThat(NtimeWindow.place(0, MIN, CUR, CUR, 0, 600)).isEqualTo(Position.INSIDE);
    }
}
