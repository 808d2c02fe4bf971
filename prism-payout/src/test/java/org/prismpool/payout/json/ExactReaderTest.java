package org.prismpool.payout.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExactReaderTest {

    private static final Name A = Name.of("a");
    private static final Name B = Name.of("b");
    private static final ObjectShape SHAPE = ObjectShape.required(A, B).except(B);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[",
                "\"",
                "{\"a\":1",
                "{\"a\":1,}",
                "[1,]",
                "[1 2]",
                "{\"a\" 1}",
                "{a:1}",
                "nul",
                "tru",
                "+1",
                "01",
                "-01",
                "1.",
                ".5",
                "1e",
                "1e+",
                "--1",
                "-",
                "'a'",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\ud800\"",
                "\"\\udc00\\ud800\"",
                "\"\\ud800\\u0041\"",
                "\"\n\"",
                "\"\u0001\"",
                "1 2",
                "{} x",
                "\uFEFF1",
                "// c\n1",
                "[1]]",
                "{\"a\":1}}",
                "NaN",
                "Infinity",
                "0x10",
                "[,1]",
                "{,}"
            })
    void malformedTextIsRefused(String text) {
        assertThatThrownBy(() -> skipWhole(text.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(JsonException.class)
                .message()
                .isNotEmpty()
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                "-1.5e-3",
                "1E400",
                "\"\\u0000\\ud83d\\ude00/\\/\"",
                "[]",
                "{}",
                " [ 1 , {\"x\":[null,true]} ] ",
                "\"\u007f\u2028\"",
                "{\"a\":1,\"a\":2}"
            })
    void wellFormedTextIsSkipped(String text) {
        skipWhole(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void invalidUtf8IsRefusedEverywhere() {
        byte[][] faulty = {
            {'"', (byte) 0xff, '"'},
            {'"', (byte) 0xc0, (byte) 0x80, '"'},
            {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'},
            {'"', (byte) 0xf5, (byte) 0x80, (byte) 0x80, (byte) 0x80, '"'},
            {'"', (byte) 0xe2, (byte) 0x82, '"'}
        };
        for (byte[] bytes : faulty) {
            assertThatThrownBy(() -> skipWhole(bytes)).isInstanceOf(JsonException.class);
        }
    }

    @Test
    void nestingIsBoundedInKnownAndUnknownMembers() {
        skipWhole(("[".repeat(128) + "]".repeat(128)).getBytes(StandardCharsets.US_ASCII));

        assertThatThrownBy(() -> skipWhole(("[".repeat(129) + "]".repeat(129)).getBytes(StandardCharsets.US_ASCII)))
                .hasMessageStartingWith("nested deeper than 128 levels");
        assertThatThrownBy(() -> skipWhole("{\"a\":".repeat(100_000).getBytes(StandardCharsets.US_ASCII)))
                .hasMessageStartingWith("nested deeper than 128 levels");
    }

    @Test
    void aDocumentAboveItsLimitIsRefusedBeforeItIsHeld() {
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return ' ';
            }

            @Override
            public int read(byte[] bytes, int offset, int length) {
                Arrays.fill(bytes, offset, offset + length, (byte) ' ');
                return length;
            }
        };

        assertThatThrownBy(() -> ExactReader.of(endless, 1 << 20).skip())
                .hasMessage("document is larger than 1048576 bytes");
    }

    @Test
    void knownMembersComeOnceAndUnknownOnesAreIgnored() {
        assertThat(readA("{\"x\":{\"a\":9},\"a\":1,\"x\":2,\"b\":null}")).isEqualTo(1);

        assertThatThrownBy(() -> readA("{\"a\":1,\"a\":1}")).hasMessageStartingWith("duplicate field `a`");
        assertThatThrownBy(() -> readA("{\"b\":null}")).hasMessageStartingWith("missing field `a`");
        assertThatThrownBy(() -> readA("{\"\\u0061\":1,\"a\":2}")).hasMessageStartingWith("duplicate field `a`");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.0", "1e3", "\"1\"", "-0", "18446744073709551616", "null", "true", "01"})
    void whatIsNotAnUnsignedIntegerIsRefused(String text) {
        assertThatThrownBy(() -> reader(text).unsigned64()).isInstanceOf(JsonException.class);
    }

    @Test
    void integersKeepTheirFullWidth() {
        assertThat(reader("18446744073709551615").unsigned64()).isEqualTo(-1);
        assertThat(reader("999999999999999999").unsigned64()).isEqualTo(999_999_999_999_999_999L);
        assertThat(reader("-9223372036854775808").signed64()).isEqualTo(Long.MIN_VALUE);
        assertThatThrownBy(() -> reader("9223372036854775808").signed64()).isInstanceOf(JsonException.class);
        assertThat(reader("340282366920938463463374607431768211455").unsigned128())
                .isEqualTo(U128.MAX);
        assertThatThrownBy(
                        () -> reader("340282366920938463463374607431768211456").unsigned128())
                .isInstanceOf(JsonException.class);
        assertThat(reader("-170141183460469231731687303715884105728").signed128())
                .isEqualTo(BigInteger.ONE.shiftLeft(127).negate());
        assertThatThrownBy(
                        () -> reader("170141183460469231731687303715884105728").signed128())
                .isInstanceOf(JsonException.class);
        assertThatThrownBy(() -> reader("4294967296").unsigned32()).isInstanceOf(JsonException.class);
    }

    @Test
    void textsAcrossBlockBordersAreWhole() {
        for (int padding = (1 << 17) - 40; padding < (1 << 17) + 10; padding++) {
            String text = "x".repeat(30) + "\u00e9\u20ac\ud83d\ude00";
            byte[] document = (" ".repeat(padding) + "[\"" + text + "\",\"" + text + "\",12345]")
                    .getBytes(StandardCharsets.UTF_8);
            ExactReader in = ExactReader.of(new ByteArrayInputStream(document));
            in.array();
            assertThat(in.hasElement()).isTrue();
            assertThat(in.text()).isEqualTo(text);
            assertThat(in.hasElement()).isTrue();
            assertThat(in.sharedText()).isEqualTo(text);
            assertThat(in.hasElement()).isTrue();
            assertThat(in.unsigned64()).isEqualTo(12345);
            assertThat(in.hasElement()).isFalse();
            in.end();
        }
    }

    private static long readA(String text) {
        ExactReader in = reader(text);
        ObjectCursor member = in.object(SHAPE);
        long value = 0;
        while (member.next()) {
            if (member.name().equals("a")) {
                value = in.unsigned64();
            } else {
                in.nullNext();
            }
        }
        in.end();
        return value;
    }

    private static void skipWhole(byte[] document) {
        ExactReader in = ExactReader.of(new ByteArrayInputStream(document));
        in.skip();
        in.end();
    }

    private static ExactReader reader(String text) {
        return ExactReader.of(text.getBytes(StandardCharsets.UTF_8));
    }
}
