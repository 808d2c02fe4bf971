package org.prismpool.templates.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.prismpool.templates.chain.Hex;

class CoinbaseScriptTest {

    @ParameterizedTest
    @CsvSource({
        "1, 5100",
        "16, 6000",
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
        "8388608, 0400008000",
        "4294967295, 05ffffffff00"
    })
    void heightsArePushedAsMinimalScriptNumbers(long height, String push) {
        assertThat(Hex.encode(CoinbaseScript.heightPush(height))).isEqualTo(push);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 4294967296L})
    void heightsOutOfRangeAreRefused(long height) {
        assertThatIllegalArgumentException().isThrownBy(() -> CoinbaseScript.heightPush(height));
    }

    @Test
    void theTagIsRawPrintableAscii() {
        assertThat(Hex.encode(CoinbaseScript.tag("/PRISM/"))).isEqualTo("2f505249534d2f");
        assertThat(CoinbaseScript.tag("")).isEmpty();
        assertThat(CoinbaseScript.tag("x".repeat(40))).hasSize(40);
        assertThatIllegalArgumentException().isThrownBy(() -> CoinbaseScript.tag("x".repeat(41)));
        assertThatIllegalArgumentException().isThrownBy(() -> CoinbaseScript.tag("é"));
        assertThatIllegalArgumentException().isThrownBy(() -> CoinbaseScript.tag("\n"));
    }

    @Test
    void theExtranoncesAreTheTailOfTheScript() {
        assertThat(Hex.encode(CoinbaseScript.placeholder(70_000, "/PRISM/", 8)))
                .isEqualTo("037011012f505249534d2f" + "00".repeat(12));
        assertThat(CoinbaseScript.placeholder(4294967295L, "x".repeat(40), 8)).hasSizeLessThanOrEqualTo(58);
        assertThatIllegalArgumentException().isThrownBy(() -> CoinbaseScript.placeholder(1, "", 3));
        assertThatIllegalArgumentException().isThrownBy(() -> CoinbaseScript.placeholder(1, "", 9));
    }
}
