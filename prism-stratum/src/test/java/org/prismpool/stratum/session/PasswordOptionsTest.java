package org.prismpool.stratum.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.prismpool.stratum.vardiff.VardiffPolicy;

/** The table of spec 02 §4.5 and its resolution: acceptance 21. */
class PasswordOptionsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "d",
                "stratum d=5",
                "d=5;md=6",
                "d=5=6",
                "d=0x10",
                "d=Infinity",
                "d=-5,md=0",
                "d=nan",
                "d=",
                "d=\u0665"
            })
    void junkIsNoWish(String password) {
        assertThat(PasswordOptions.parse(password)).isEqualTo(PasswordOptions.NONE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "d=8192;8192;",
                "md=4096,d=8192;8192;4096",
                "D=500000, MD=500000;500000;500000",
                "foo=1,md=2048;;2048",
                "x,d=5;5;",
                "'d= 5 ';5;",
                "d=5,d=7;7;",
                "d=5,d=junk;5;",
                "d=1e3;1000;",
            })
    void wishesAreRead(String password, BigDecimal difficulty, BigDecimal minimum) {
        PasswordOptions options = PasswordOptions.parse(password);

        assertThat(compare(options.difficulty(), difficulty)).isTrue();
        assertThat(compare(options.minimum(), minimum)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"d=1e999999999", "d=9e2000000000", "d=1e401"})
    void absurdWishesAreBoundedBeforeAnyArithmetic(String password) {
        assertThat(PasswordOptions.parse(password).difficulty()).contains(new BigDecimal("1e400"));
    }

    @Test
    void theExamplesOfTheResolutionHold() {
        VardiffPolicy low = Rig.policy("0.000000001", "0.000000001", "1024");
        VardiffPolicy high = Rig.policy("500000", "500000", "4294967296");

        DifficultyWish minimumOnly = resolve(low, "md=256", Optional.empty(), "1");
        assertThat(minimumOnly.target().orElseThrow()).isEqualByComparingTo("256");
        assertThat(minimumOnly.policy().range().min()).isEqualByComparingTo("256");
        assertThat(resolve(high, "d=1000", Optional.empty(), "500000").target().orElseThrow())
                .isEqualByComparingTo("500000");
        for (int twice = 0; twice < 2; twice++) {
            DifficultyWish both = resolve(high, "md=600000,d=700000", Optional.empty(), "500000");
            assertThat(both.target().orElseThrow()).isEqualByComparingTo("700000");
            assertThat(both.policy().range().min()).isEqualByComparingTo("600000");
        }
    }

    @Test
    void aPasswordOutranksASuggestionAndNothingAskedKeepsTheListenersPolicy() {
        VardiffPolicy low = Rig.policy("1", "4", "1024");

        assertThat(resolve(low, "d=8", Optional.of(new BigDecimal(16)), "4").target())
                .contains(new BigDecimal(8));
        assertThat(resolve(low, "x", Optional.of(new BigDecimal(16)), "4").target())
                .contains(new BigDecimal(16));
        assertThat(resolve(low, "x", Optional.empty(), "4").target()).isEmpty();
        assertThat(resolve(low, "x", Optional.empty(), "4").policy()).isEqualTo(low);
    }

    private static DifficultyWish resolve(
            VardiffPolicy listener, String password, Optional<BigDecimal> suggestion, String current) {
        return DifficultyWish.resolve(listener, PasswordOptions.parse(password), suggestion, new BigDecimal(current));
    }

    private static boolean compare(Optional<BigDecimal> actual, BigDecimal expected) {
        return expected == null ? actual.isEmpty() : actual.orElseThrow().compareTo(expected) == 0;
    }
}
