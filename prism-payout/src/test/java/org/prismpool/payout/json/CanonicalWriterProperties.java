package org.prismpool.payout.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.prismpool.payout.Vectors;

class CanonicalWriterProperties {

    @Property(tries = 500)
    void anyTextSurvivesWritingAndReading(@ForAll String text) {
        String valid = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);

        byte[] bytes = CanonicalWriter.bytesOf(out -> out.text(valid));

        assertThat(ExactReader.of(bytes).text()).isEqualTo(valid);
        assertThat(Vectors.parse(bytes).asText()).isEqualTo(valid);
    }

    @Property(tries = 500)
    void anyWideIntegerSurvivesWritingAndReading(@ForAll long high, @ForAll long low) {
        U128 value = U128.ofHalves(high, low);
        BigInteger expected = new BigInteger(1, bigEndian(high, low));

        byte[] bytes = CanonicalWriter.bytesOf(out -> out.unsigned(value));

        assertThat(new String(bytes, StandardCharsets.US_ASCII)).isEqualTo(expected.toString());
        assertThat(ExactReader.of(bytes).unsigned128()).isEqualTo(value);
        assertThat(value.toBigInteger()).isEqualTo(expected);
    }

    @Property(tries = 1000)
    void numbersOfAnyLengthAreWrittenInPlainDigits(
            @ForAll long bits, @ForAll @IntRange(min = 0, max = 63) int shift, @ForAll @IntRange(max = 18) int power) {
        long any = bits >> shift;
        long limit = BigInteger.TEN.pow(power).longValueExact();

        for (long value : new long[] {any, limit, limit - 1, -limit}) {
            assertThat(new String(CanonicalWriter.bytesOf(out -> out.signed(value)), StandardCharsets.US_ASCII))
                    .isEqualTo(Long.toString(value));
            assertThat(new String(CanonicalWriter.bytesOf(out -> out.unsigned(value)), StandardCharsets.US_ASCII))
                    .isEqualTo(Long.toUnsignedString(value));
        }
    }

    @Property(tries = 500)
    void wideSumsAndDifferencesAreExactOrRefused(
            @ForAll long aHigh, @ForAll long aLow, @ForAll long bHigh, @ForAll long bLow) {
        U128 a = U128.ofHalves(aHigh, aLow);
        U128 b = U128.ofHalves(bHigh, bLow);
        BigInteger sum = a.toBigInteger().add(b.toBigInteger());

        try {
            assertThat(a.plus(b).toBigInteger()).isEqualTo(sum);
            assertThat(a.plus(b).minus(b)).isEqualTo(a);
        } catch (ArithmeticException e) {
            assertThat(sum.bitLength()).isGreaterThan(128);
        }
        assertThat(Integer.signum(a.compareTo(b))).isEqualTo(a.toBigInteger().compareTo(b.toBigInteger()));
    }

    @Property(tries = 300)
    void textsAreOrderedLikeTheirUtf8Bytes(@ForAll String a, @ForAll String b) {
        String left = new String(a.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        String right = new String(b.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);

        int expected =
                Arrays.compareUnsigned(left.getBytes(StandardCharsets.UTF_8), right.getBytes(StandardCharsets.UTF_8));

        assertThat(Integer.signum(Utf8Order.compare(left, right))).isEqualTo(Integer.signum(expected));
    }

    @Example
    void escapesAndRawCharactersAreThoseOfTheContract() {
        byte[] bytes = CanonicalWriter.bytesOf(out -> out.text("\"\\\b\t\n\f\r\u0000\u001f/\u007f\u2028\ud83d\ude00"));

        assertThat(new String(bytes, StandardCharsets.UTF_8))
                .isEqualTo("\"\\\"\\\\\\b\\t\\n\\f\\r\\u0000\\u001f/\u007f\u2028\ud83d\ude00\"");
    }

    @Example
    void textsLongerThanABlockAreWrittenWholeWithAndWithoutAnEscapeAtTheirEnd() {
        String plain = "0123456789abcdef".repeat(5000);

        for (String text : new String[] {plain, plain + "\n", plain + "\u00e9"}) {
            byte[] bytes = CanonicalWriter.bytesOf(out -> {
                out.beginArray();
                out.text("before");
                out.text(text);
                out.text("after");
                out.endArray();
            });
            assertThat(new String(bytes, StandardCharsets.UTF_8))
                    .isEqualTo("[\"before\",\"" + text.replace("\n", "\\n") + "\",\"after\"]");
        }
    }

    @Example
    void thePrettyFormHasOneMemberOrElementPerLine() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CanonicalWriter out = CanonicalWriter.pretty(bytes::write);
        out.beginObject();
        out.member(Name.of("a"), 1);
        out.name(Name.of("b"));
        out.beginArray();
        out.text("x");
        out.beginObject();
        out.endObject();
        out.endArray();
        out.name(Name.of("c"));
        out.beginArray();
        out.endArray();
        out.endObject();
        out.finishLine();

        assertThat(bytes).hasToString("{\n  \"a\": 1,\n  \"b\": [\n    \"x\",\n    {}\n  ],\n  \"c\": []\n}\n");
    }

    @Example
    void theSortedFormIsAsciiWithKeysInCodePointOrder() {
        JsonNode unordered = Vectors.parse("{\"b\":1,\"a\":{\"\ud83d\ude00\":null,\"\uff5e\":[true,\"\u00e9\"]}}"
                .getBytes(StandardCharsets.UTF_8));

        assertThat(JsonTree.sortedAscii(JsonTree.parse(Vectors.bytes(unordered))))
                .isEqualTo("{\"a\":{\"\\uff5e\":[true,\"\\u00e9\"],\"\\ud83d\\ude00\":null},\"b\":1}");
    }

    private static byte[] bigEndian(long high, long low) {
        return ByteBuffer.allocate(16).putLong(high).putLong(low).array();
    }
}
