package org.prismpool.stratum.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spec 02 §1.4 and §1.5. */
class RequestParserTest {

    private static final RequestParser PARSER = new RequestParser();

    @Test
    void aSubmitIsReadAsItIs() {
        ParsedLine.Request request = request(
                "{\"id\":4,\"method\":\"mining.submit\",\"params\":[\"a.b\",\"prism-7\",\"01\",\"02\",\"03\"]}");

        assertThat(request.method()).isEqualTo("mining.submit");
        assertThat(id(request)).isEqualTo("4");
        assertThat(request.text(0)).isEqualTo("a.b");
        assertThat(request.text(4)).isEqualTo("03");
        assertThat(request.text(5)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"abc\"", "{\"a\": [1]}", "null", "0", "1.5", "-1e400", "true", "[]", "\"\\ud800\""})
    void anIdIsEchoedVerbatimWhateverItIs(String id) {
        assertThat(id(request("{\"id\":" + id + ",\"method\":\"x\"}"))).isEqualTo(id);
    }

    @Test
    void anIdOf400DigitsIsEchoed() {
        String id = "9".repeat(400);

        assertThat(id(request("{\"id\":" + id + ",\"method\":\"x\"}"))).isEqualTo(id);
    }

    @Test
    void anAbsentIdIsNull() {
        assertThat(id(request("{\"method\":\"x\"}"))).isEqualTo("null");
    }

    @Test
    void anIdBeyondAsciiIsEscaped() {
        assertThat(id(request("{\"id\":\"\u00e9\ud83d\ude00\",\"method\":\"x\"}")))
                .isEqualTo("\"\\u00e9\\ud83d\\ude00\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":1,",
                "{\"id\":1,\"method\":\"x\"} {}",
                "{\"id\":1}{\"id\":2}",
                "nope",
                "{\"id\":01,\"method\":\"x\"}",
                "{\"id\":1,\"method\":\"x\",}",
                "{\"id\":NaN,\"method\":\"x\"}",
                "{\"id\":1,\"method\":\"a\\x\"}",
                "{\"id\":1,\"method\":\"\\u12\"}",
                "{\"id\":1.,\"method\":\"x\"}",
                "{\"id\":1e,\"method\":\"x\"}",
                "{\"id\":+1,\"method\":\"x\"}",
                "{id:1}",
                "{\"id\":1,\"method\":\"a\u0001b\"}",
                "\ufeff{\"id\":1,\"method\":\"x\"}",
                "{\"id\":tru,\"method\":\"x\"}",
                "{\"a\":\"",
                "{",
                "[",
                "[1,]",
            })
    void whatIsNoJsonIsAnsweredWithoutAnId(String line) {
        ParsedLine.Malformed malformed = malformed(line);

        assertThat(malformed.message()).startsWith("invalid JSON: ");
        assertThat(id(malformed)).isEqualTo("null");
    }

    @Test
    void nestingIsBounded() {
        assertThat(parse("{\"method\":\"x\",\"params\":" + "[".repeat(31) + "]".repeat(31) + "}"))
                .isInstanceOf(ParsedLine.Request.class);
        assertThat(malformed("{\"method\":\"x\",\"params\":" + "[".repeat(32) + "]".repeat(32) + "}")
                        .message())
                .contains("nesting");
        assertThat(malformed("[".repeat(10_000) + "]".repeat(10_000)).message()).contains("nesting");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[1,2]", "1", "\"x\"", "null", "true", "[]"})
    void onlyObjectsAreRequests(String line) {
        assertThat(malformed(line).message()).isEqualTo("request must be an object");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":3,\"params\":[]}",
                "{\"id\":3,\"method\":7,\"params\":[]}",
                "{\"id\":3,\"method\":null,\"params\":null}"
            })
    void aMethodIsAString(String line) {
        assertThat(malformed(line).message()).isEqualTo("missing method");
        assertThat(id(malformed(line))).isEqualTo("3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "\"x\"", "1000", "true"})
    void parametersAreAnArray(String params) {
        ParsedLine.Malformed malformed = malformed("{\"id\":4,\"method\":\"x\",\"params\":" + params + "}");

        assertThat(malformed.message()).isEqualTo("params must be an array");
        assertThat(id(malformed)).isEqualTo("4");
    }

    @Test
    void absentParametersAreNone() {
        assertThat(request("{\"id\":4,\"method\":\"x\"}").params()).isEmpty();
    }

    @Test
    void ofEqualNamesTheLastCounts() {
        ParsedLine.Request request = request("{\"id\":1,\"method\":\"a\",\"id\":2,\"method\":\"b\"}");

        assertThat(request.method()).isEqualTo("b");
        assertThat(id(request)).isEqualTo("2");
    }

    @Test
    void escapesAreUndone() {
        assertThat(request("{\"method\":\"x\",\"params\":[\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\ud83d\\ude00\u00e9\"]}")
                        .text(0))
                .isEqualTo("a\"\\/\b\f\n\r\tA\ud83d\ude00\u00e9");
    }

    @Test
    void parametersOfOtherTypesBecomeText() {
        ParsedLine.Request request = request("{\"method\":\"x\",\"params\":[1.50,true,false,null,[1],{\"a\":2}]}");

        assertThat(request.text(0)).isEqualTo("1.50");
        assertThat(request.text(1)).isEqualTo("True");
        assertThat(request.text(2)).isEqualTo("False");
        assertThat(request.text(3)).isEmpty();
        assertThat(request.text(4)).isEqualTo("[]");
        assertThat(request.text(5)).isEqualTo("{}");
    }

    @Test
    void whiteSpaceAroundALineIsIgnored() {
        assertThat(parse(" \t\u000b\f\r")).isInstanceOf(ParsedLine.Blank.class);
        assertThat(request(" \t{\"method\":\"x\"}\r").method()).isEqualTo("x");
    }

    @Test
    void bytesThatAreNoUtf8AreTold() {
        for (byte[] bytes : new byte[][] {
            {'{', (byte) 0xff, (byte) 0xfe, '}'},
            {(byte) 0xc3},
            {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
            {'"', (byte) 0xc0, (byte) 0x80, '"'}
        }) {
            assertThat(PARSER.parse(bytes, 0, bytes.length)).isInstanceOf(ParsedLine.NotUtf8.class);
        }
    }

    private static ParsedLine parse(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        return PARSER.parse(bytes, 0, bytes.length);
    }

    private static ParsedLine.Request request(String line) {
        return (ParsedLine.Request) parse(line);
    }

    private static ParsedLine.Malformed malformed(String line) {
        return (ParsedLine.Malformed) parse(line);
    }

    private static String id(ParsedLine line) {
        return new String(line.id(), StandardCharsets.ISO_8859_1);
    }
}
