package org.prismpool.sharewriter.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class BinaryNumericProperties {

    private static byte[] field(BigInteger value) {
        ByteArrayDataOutput out = ByteStreams.newDataOutput();
        BinaryNumeric.write(out, value);
        return out.toByteArray();
    }

    @Provide
    Arbitrary<BigInteger> difficulties() {
        Arbitrary<BigInteger> any = Arbitraries.bigIntegers()
                .between(BigInteger.ONE, BigInteger.TEN.pow(78).subtract(BigInteger.ONE));
        Arbitrary<BigInteger> round = Arbitraries.integers().between(0, 77).map(BigInteger.TEN::pow);
        return Arbitraries.oneOf(any, round, Arbitraries.bigIntegers().between(BigInteger.ONE, BigInteger.TEN.pow(9)));
    }

    @Property
    void whatIsWrittenIsRead(@ForAll("difficulties") BigInteger value) {
        ByteBuffer field = ByteBuffer.wrap(field(value));

        assertThat(field.getInt()).isEqualTo(field.remaining());
        assertThat(BinaryNumeric.read(field)).isEqualTo(value);
    }

    /** The server's own form, from {@code numeric_send}: 12345678 is the digits 1234 and 5678 with weight 1. */
    @Example
    void theFormIsTheServers() {
        assertThat(HexFormat.of().formatHex(field(BigInteger.valueOf(12_345_678))))
                .isEqualTo("0000000c" + "0002" + "0001" + "0000" + "0000" + "04d2" + "162e");
        assertThat(HexFormat.of().formatHex(field(BigInteger.valueOf(30_000))))
                .isEqualTo("0000000a" + "0001" + "0001" + "0000" + "0000" + "0003");
        assertThat(HexFormat.of().formatHex(field(BigInteger.ONE)))
                .isEqualTo("0000000a" + "0001" + "0000" + "0000" + "0000" + "0001");
    }
}
