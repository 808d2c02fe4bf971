package org.prismpool.sharewriter.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class BinaryNumericProperties {

    private static final BigInteger BASE = BigInteger.valueOf(10_000);

    /** As {@code numeric_send} writes it: base-10000 digits from the highest on, without trailing zero digits. */
    private static ByteBuffer field(BigInteger value) {
        List<Integer> digits = new ArrayList<>();
        for (BigInteger rest = value; rest.signum() > 0; rest = rest.divide(BASE)) {
            digits.add(0, rest.mod(BASE).intValueExact());
        }
        int weight = digits.size() - 1;
        while (digits.get(digits.size() - 1) == 0) {
            digits.remove(digits.size() - 1);
        }
        ByteBuffer field = ByteBuffer.allocate(8 + 2 * digits.size());
        field.putShort((short) digits.size()).putShort((short) weight).putInt(0);
        digits.forEach(digit -> field.putShort(digit.shortValue()));
        return field.flip();
    }

    private static BigInteger read(String hex) {
        return BinaryNumeric.read(ByteBuffer.wrap(HexFormat.of().parseHex(hex)));
    }

    @Provide
    Arbitrary<BigInteger> difficulties() {
        Arbitrary<BigInteger> any = Arbitraries.bigIntegers()
                .between(BigInteger.ONE, BigInteger.TEN.pow(78).subtract(BigInteger.ONE));
        Arbitrary<BigInteger> round = Arbitraries.integers().between(0, 77).map(BigInteger.TEN::pow);
        return Arbitraries.oneOf(any, round, Arbitraries.bigIntegers().between(BigInteger.ONE, BigInteger.TEN.pow(9)));
    }

    @Property
    void everyWholeNumberIsRead(@ForAll("difficulties") BigInteger value) {
        ByteBuffer field = field(value);

        assertThat(BinaryNumeric.read(field)).isEqualTo(value);
        assertThat(field.hasRemaining()).isFalse();
    }

    /** The server's own form, from {@code numeric_send}: 12345678 is the digits 1234 and 5678 with weight 1. */
    @Example
    void theFormIsTheServers() {
        assertThat(read("0002" + "0001" + "0000" + "0000" + "04d2" + "162e")).isEqualTo(12_345_678);
        assertThat(read("0001" + "0001" + "0000" + "0000" + "0003")).isEqualTo(30_000);
        assertThat(read("0001" + "0000" + "0000" + "0000" + "0001")).isOne();
    }
}
