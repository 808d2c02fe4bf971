package org.prismpool.templates.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {

    @ParameterizedTest
    @CsvSource({
        "207fffff, 7fffff, 58",
        "1f00ffff, 0000ffff, 56",
        "1e0fffff, 00000fffff, 54",
        "1e00ffff, 000000ffff, 54",
        "1d00ffff, 00000000ffff, 52",
        "1a7f1ab5, 0000000000007f1ab5, 46",
        "18109c29, 0000000000000000109c29, 42"
    })
    void compactBitsExpandAndCompressAgain(String bits, String leading, int zeros) {
        CompactTarget compact = CompactTarget.ofHex(bits);
        assertThat(compact.target().hex()).isEqualTo(leading + "0".repeat(zeros));
        assertThat(CompactTarget.ofTarget(compact.target()).hex()).isEqualTo(bits);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00000000",
                "207fff",
                "20800001",
                "1d80ffff",
                "23000001",
                "22000100",
                "21010000",
                "01000000",
                "1d000000",
                "zzzzzzzz"
            })
    void zeroNegativeOverflowingAndMalformedBitsAreRefused(String bits) {
        assertThatIllegalArgumentException().isThrownBy(() -> CompactTarget.ofHex(bits));
    }

    @ParameterizedTest
    @CsvSource({
        "207fffff, 1000000",
        "1f00ffff, 32768496101",
        "1e00f99b, 8603510983771",
        "1d00ffff, 2147516160496101",
        "1c2a1115, 13068659999962520",
        "1b00ffff, 140739619094272496101",
        "1a7f1ab5, 283458433934854017756",
        "18109c29, 142154297001550186948030010",
        "1b0404cb, 35020450001492753689",
        "1a05db8b, 6150788026455576037990",
        "17034219, 185520826373774456524063529881"
    })
    void scaledDifficultyIsExact(String bits, BigInteger scaled) {
        assertThat(ScaledDifficulty.of(CompactTarget.ofHex(bits).target())).isEqualTo(scaled);
    }

    @Test
    void scaledDifficultyIsAtLeastOne() {
        assertThat(ScaledDifficulty.of(Target.MAX)).isEqualTo(499_999);
        assertThat(ScaledDifficulty.of(Target.MAX)).isPositive();
    }

    @ParameterizedTest
    @CsvSource({
        "1e-9, 3b9a8e6536000000000000000000000000000000000000000000000000000000, 2147516",
        "0.001, 000003e7fc180000000000000000000000000000000000000000000000000000, 2147516160496",
        "0.5, 00000001fffe0000000000000000000000000000000000000000000000000000, 1073758080248050",
        "1, 00000000ffff0000000000000000000000000000000000000000000000000000, 2147516160496101",
        "3, 0000000055550000000000000000000000000000000000000000000000000000, 6442548481488303",
        "6, 000000002aaa8000000000000000000000000000000000000000000000000000, 12885096962976607",
        "1024, 00000000003fffc0000000000000000000000000000000000000000000000000, 2199056548348007751",
        "16384, 000000000003fffc000000000000000000000000000000000000000000000000, 35184904773568124025",
        "500000, 000000000000218dcdb37c99ae924f227d028a1dfb9389b52007dd441355475a, 1073758080248050659952",
        "4294967296, 0000000000000000ffff00000000000000000000000000000000000000000000, 9223511676962242304496101"
    })
    void policyDifficultiesBecomeExactTargets(String difficulty, String target, BigInteger weight) {
        Target exact = Difficulty.of(difficulty).toTarget();
        assertThat(exact.hex()).isEqualTo(target);
        assertThat(ScaledDifficulty.of(exact)).isEqualTo(weight);
        assertThat(Difficulty.advertised(exact)).isEqualTo(Double.parseDouble(difficulty));
    }

    @ParameterizedTest
    @CsvSource({
        "207fffff, 4.6565423739069247e-10",
        "1f00ffff, 0.0000152587890625",
        "1e00ffff, 0.00390625",
        "1d00ffff, 1",
        "1b0404cb, 16307.420938523983",
        "1a05db8b, 2864140.5078109736",
        "17034219, 86388558925171.01"
    })
    void networkDifficultyIsTheNearestDouble(String bits, double difficulty) {
        assertThat(Difficulty.advertised(CompactTarget.ofHex(bits).target())).isEqualTo(difficulty);
    }

    @Test
    void theDifficultyOfTheMainGenesisIsAsDocumented() {
        assertThat(Difficulty.advertised(CompactTarget.ofHex("1a7f1ab5").target()))
                .isCloseTo(131_993.62, within(0.005));
        assertThat(Difficulty.advertised(CompactTarget.ofHex("18109c29").target()))
                .isCloseTo(6.6195e10, within(1e6));
    }

    @Test
    void extremeDifficultiesAreKeptInRange() {
        assertThat(Difficulty.of("1e-30").toTarget()).isEqualTo(Target.MAX);
        assertThat(Difficulty.of("1e90").toTarget().value()).isEqualTo(BigInteger.ONE);
        assertThatIllegalArgumentException().isThrownBy(() -> Difficulty.of("1e999999999"));
        assertThatIllegalArgumentException().isThrownBy(() -> Difficulty.of("1e-999999999"));
        assertThatIllegalArgumentException().isThrownBy(() -> Difficulty.of("0"));
        assertThatIllegalArgumentException().isThrownBy(() -> Difficulty.of("-1"));
    }

    @Test
    void aHashEqualToTheTargetPassesAndOneAboveDoesNot() {
        Target target = CompactTarget.ofHex("1d00ffff").target();
        Hash256 equal = Hash256.ofDisplayHex(target.hex());
        Hash256 above = Hash256.ofDisplayHex(
                Target.of(target.value().add(BigInteger.ONE)).hex());
        Hash256 below = Hash256.ofDisplayHex(
                Target.of(target.value().subtract(BigInteger.ONE)).hex());
        assertThat(target.isMetBy(equal)).isTrue();
        assertThat(target.isMetBy(above)).isFalse();
        assertThat(target.isMetBy(below)).isTrue();
        assertThat(target.isMetBy(below.internalBytes())).isTrue();
        assertThat(target.isMetBy(above.internalBytes())).isFalse();
    }

    @Test
    void theEasierTargetIsTheLargerOne() {
        Target hard = Difficulty.of(10).toTarget();
        Target easy = Difficulty.of(1).toTarget();
        assertThat(hard.easier(easy)).isEqualTo(easy);
        assertThat(hard.harder(easy)).isEqualTo(hard);
    }

    @Test
    void aShareIsNeverHarderThanABlockUnlessTheFloorSaysSo() {
        Target network = CompactTarget.ofHex("207fffff").target();
        Target share = Difficulty.of(1).toTarget().easier(network);
        assertThat(share.hex()).startsWith("7fffff");
        assertThat(share.harder(Difficulty.of(1).toTarget()))
                .isEqualTo(Difficulty.of(1).toTarget());
    }

    @Test
    void blockWorkIsTheExpectedNumberOfHashes() {
        assertThat(CompactTarget.ofHex("207fffff").target().work()).isEqualTo(2);
        assertThat(CompactTarget.ofHex("1e00ffff").target().work()).isEqualTo(16_777_472);
    }
}
