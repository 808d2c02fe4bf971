package org.prismpool.templates.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BytesTest {

    @ParameterizedTest
    @CsvSource({
        "0, 00",
        "252, fc",
        "253, fdfd00",
        "65535, fdffff",
        "65536, fe00000100",
        "4294967295, feffffffff",
        "4294967296, ff0000000001000000"
    })
    void countsUseTheirShortestForm(long value, String hex) {
        assertThat(Hex.encode(new ByteWriter().compactSize(value).toByteArray()))
                .isEqualTo(hex);
        assertThat(new ByteReader(Hex.decode(hex)).compactSize()).isEqualTo(value);
        assertThat(CompactSize.sizeOf(value)).isEqualTo(hex.length() / 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fdfc00", "feffff0000", "ffffffffff00000000", "ffffffffffffffffff", "fd00"})
    void longerFormsThanNeededAreRefused(String hex) {
        assertThatExceptionOfType(MalformedBytesException.class)
                .isThrownBy(() -> new ByteReader(Hex.decode(hex)).compactSize());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", " 00", "0x00", "gg", "00 "})
    void hexTextIsReadStrictly(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Hex.decode(text));
    }

    @Test
    void numbersAreLittleEndian() {
        byte[] bytes = new ByteWriter(0)
                .u8(1)
                .i32(-2)
                .u32(0xfffffffdL)
                .i64(0x0102030405060708L)
                .toByteArray();
        assertThat(Hex.encode(bytes)).isEqualTo("01feffffff" + "fdffffff" + "0807060504030201");
        ByteReader reader = new ByteReader(bytes);
        assertThat(reader.u8()).isEqualTo(1);
        assertThat(reader.i32()).isEqualTo(-2);
        assertThat(reader.u32()).isEqualTo(0xfffffffdL);
        assertThat(reader.i64()).isEqualTo(0x0102030405060708L);
        reader.requireEnd();
    }

    @Test
    void aHashKeepsBothOrdersApart() {
        Hash256 hash = Hash256.ofDisplayHex("0ee96aa77c4b600850e349344fa21b107e805f5370ddc7a6189db12cf69acce6");
        assertThat(hash.internalHex()).isEqualTo("e6cc9af62cb19d18a6c7dd70535f807e101ba24f3449e35008604b7ca76ae90e");
        assertThat(hash.toUnsignedInteger().toString(16))
                .isEqualTo("ee96aa77c4b600850e349344fa21b107e805f5370ddc7a6189db12cf69acce6");
        assertThat(hash).isGreaterThan(Hash256.ZERO).isEqualByComparingTo(Hash256.ofInternal(hash.internalBytes()));
        assertThat(hash.internalBytes()).isNotSameAs(hash.internalBytes());
    }

    @Test
    void theReusedHasherAgreesWithTheOneShotDigest() {
        Sha256d.Hasher hasher = new Sha256d.Hasher();
        byte[] genesis = Network.REGTEST.genesisHeader().bytes();
        byte[] out = new byte[32];
        hasher.digest(genesis, 0, genesis.length, out);
        hasher.digest(genesis, 0, genesis.length, out);
        assertThat(out)
                .isEqualTo(Sha256d.digest(genesis))
                .isEqualTo(Network.REGTEST.genesisHash().internalBytes());
    }
}
