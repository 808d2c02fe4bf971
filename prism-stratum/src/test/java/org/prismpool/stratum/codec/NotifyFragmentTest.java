package org.prismpool.stratum.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NotifyFragmentTest {

    @ParameterizedTest
    @CsvSource({
        "500000, 500000",
        "4294967296, 4294967296",
        "0.1, 0.1",
        "1e-9, 0.000000001",
        "4.6565423739069247e-10, 0.00000000046565423739069247",
        "12345678901.5, 12345678901.5",
        "1e300, 1"
                + "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
                + "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
                + "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
    })
    void difficultiesArePlainDecimals(double difficulty, String text) {
        assertThat(NotifyFragment.difficultyText(difficulty)).isEqualTo(text);
        assertThat(Double.parseDouble(text)).isEqualTo(difficulty);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void whatIsNoDifficultyIsNeverWritten(double difficulty) {
        assertThatThrownBy(() -> NotifyFragment.difficultyText(difficulty))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Property
    void everyDifficultyParsesBackToItself(@ForAll @Scale(14) @DoubleRange(min = 1e-12, max = 1e20) double difficulty) {
        String text = NotifyFragment.difficultyText(difficulty);

        assertThat(Double.parseDouble(text)).isEqualTo(difficulty);
        assertThat(text).doesNotContainIgnoringCase("e").doesNotEndWith(".0").doesNotStartWith("-");
    }

    @Test
    void theSplicedLinesEqualTheFullSerialization() {
        NotifyFragment fragment =
                new NotifyFragment("\"aa\", \"bb\", \"cc\", [], \"20000000\", \"207fffff\", \"6553f100\"");

        assertThat(new String(fragment.update(16384, "prism-7", true), StandardCharsets.ISO_8859_1))
                .isEqualTo("{\"id\": null, \"method\": \"mining.set_difficulty\", \"params\": [16384]}\n"
                        + "{\"id\": null, \"method\": \"mining.notify\", \"params\": [\"prism-7\", \"aa\", \"bb\", \"cc\", [],"
                        + " \"20000000\", \"207fffff\", \"6553f100\", true]}\n");
        assertThat(new String(fragment.update(1, "x", false), StandardCharsets.ISO_8859_1))
                .endsWith(", false]}\n");
    }
}
