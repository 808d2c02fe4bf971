package org.prismpool.app.devnode.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.prismpool.templates.chain.Hex;

class HeightPushTest {

    /** The pushes of spec 03 §4.1; up to height 16 the node demands the opcode only. */
    @ParameterizedTest
    @CsvSource({
        "1, 51",
        "16, 60",
        "17, 0111",
        "42, 012a",
        "127, 017f",
        "128, 028000",
        "255, 02ff00",
        "256, 020001",
        "32767, 02ff7f",
        "32768, 03008000",
        "70000, 03701101",
        "8388607, 03ffff7f",
        "8388608, 0400008000"
    })
    void heightsArePushedMinimally(int height, String hex) {
        assertThat(Hex.encode(HeightPush.of(height))).isEqualTo(hex);
    }

    @Test
    void theGenesisBlockHasNone() {
        assertThatThrownBy(() -> HeightPush.of(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
