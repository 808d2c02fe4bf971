package org.prismpool.templates.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlockHeaderTest {

    private static final String EXAMPLE = "000000201f1e1d1c1b1a191817161514131211100f0e0d0c0b0a090807060504030201002021"
            + "22232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f00105e5fffff001d2a000000";

    @Test
    void aHeaderIsEightyLittleEndianBytes() {
        BlockHeader header = new BlockHeader(
                0x20000000,
                Hash256.ofInternalHex("1f1e1d1c1b1a191817161514131211100f0e0d0c0b0a09080706050403020100"),
                Hash256.ofInternalHex("202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"),
                0x5f5e1000L,
                0x1d00ffff,
                0x2aL);
        assertThat(Hex.encode(header.bytes())).isEqualTo(EXAMPLE);
        assertThat(header.hash().displayHex())
                .isEqualTo("82c4f1195720ff49a60cdd9c46368ea18d5f9d6bb774927f8b34e86ec13ecd4b");
        assertThat(BlockHeader.parse(header.bytes())).isEqualTo(header);
    }

    @Test
    void aHeaderOfAnotherLengthIsRefused() {
        assertThatExceptionOfType(MalformedBytesException.class).isThrownBy(() -> BlockHeader.parse(new byte[79]));
        assertThatExceptionOfType(MalformedBytesException.class).isThrownBy(() -> BlockHeader.parse(new byte[81]));
    }

    @ParameterizedTest
    @CsvSource({"2005e100, 47, true", "2f58c100, 31430, true", "20000000, 0, false", "20000001, 0, false"})
    void theVersionNamesTheMergedMiningChain(String version, int chainId, boolean auxPow) {
        int value = VersionLayout.parseMask(version);
        assertThat(VersionLayout.chainId(value)).isEqualTo(chainId);
        assertThat(VersionLayout.hasAuxPow(value)).isEqualTo(auxPow);
        if (auxPow) {
            assertThat(VersionLayout.auxPow(chainId, 0)).isEqualTo(value);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "20000200, bad-version-reserved(0x20000200)",
        "40000000, bad-version-topbits(0x40000000)",
        "00000003, bad-version(0x00000003)",
        "a0000000, bad-version-topbits(0xa0000000)"
    })
    void refusedVersionsAreNamedAsTheNodeDoes(String version, String reason) {
        assertThat(VersionLayout.rejection(VersionLayout.parseMask(version))).contains(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"20000000", "20000001", "3fffe000", "00000004"})
    void acceptableVersionsHaveNoReason(String version) {
        assertThat(VersionLayout.rejection(VersionLayout.parseMask(version))).isEmpty();
    }

    @Test
    void versionBitsReplaceTheMaskedBitsOnly() {
        assertThat(VersionLayout.hex(VersionLayout.roll(0x20000001, 0x1fffe000, 0x00012000)))
                .isEqualTo("20012001");
        assertThatIllegalArgumentException().isThrownBy(() -> VersionLayout.roll(0x20000000, 0x1fffe000, 0x00000001));
    }

    @Test
    void masksAreReadStrictly() {
        assertThat(VersionLayout.parseMask("0x1fffe000")).isEqualTo(0x1fffe000);
        assertThat(VersionLayout.parseMask("0")).isZero();
        assertThatIllegalArgumentException().isThrownBy(() -> VersionLayout.parseMask(""));
        assertThatIllegalArgumentException().isThrownBy(() -> VersionLayout.parseMask("123456789"));
        assertThatIllegalArgumentException().isThrownBy(() -> VersionLayout.parseMask("xyz"));
    }
}
