package org.prismpool.stratum.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The parser takes any bytes at all. */
class RequestParserProperties {

    private static final RequestParser PARSER = new RequestParser();

    private static final byte[] SUBMIT = ("{\"id\":4,\"method\":\"mining.submit\",\"params\":[\"a.b\",\"prism-7\","
                    + "\"0102030405060708\",\"6553f105\",\"1a2b3c51\",\"00a54000\"]}")
            .getBytes(StandardCharsets.ISO_8859_1);

    @Property(tries = 2000)
    void randomBytesNeverThrow(@ForAll @Size(max = 300) byte[] line) {
        assertThat(PARSER.parse(line, 0, line.length)).isNotNull();
    }

    @Property(tries = 5000)
    void mutatedSubmitsNeverThrowAndEchoAsciiIds(
            @ForAll @IntRange(max = 120) int at, @ForAll byte value, @ForAll @IntRange(max = 130) int length) {
        byte[] line = SUBMIT.clone();
        line[at % line.length] = value;
        int end = length == 0 ? line.length : Math.min(length, line.length);
        ParsedLine parsed = PARSER.parse(line, 0, end);

        for (byte b : parsed.id()) {
            assertThat(b).isBetween((byte) 0x20, (byte) 0x7e);
        }
    }

    @Property(tries = 1000)
    void anyTextComesThroughAsAParameter(@ForAll("texts") List<String> texts) {
        String params = String.join(
                ",", texts.stream().map(RequestParserProperties::quoted).toList());
        byte[] line = ("{\"id\":1,\"method\":\"m\",\"params\":[" + params + "]}").getBytes(StandardCharsets.UTF_8);
        ParsedLine.Request request = (ParsedLine.Request) PARSER.parse(line, 0, line.length);

        for (int i = 0; i < texts.size(); i++) {
            assertThat(request.text(i)).isEqualTo(texts.get(i));
        }
    }

    @Provide
    Arbitrary<List<String>> texts() {
        return Arbitraries.strings()
                .all()
                .ofMaxLength(20)
                .filter(RequestParserProperties::encodable)
                .list()
                .ofMaxSize(6);
    }

    private static boolean encodable(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c < 0x20 || c == '"' || c == '\\') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
