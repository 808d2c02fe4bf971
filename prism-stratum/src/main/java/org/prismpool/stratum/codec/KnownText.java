package org.prismpool.stratum.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A text that is recognized in a line without making a string of it. */
final class KnownText {

    private final String text;
    private final byte[] bytes;

    private KnownText(String text) {
        this.text = text;
        this.bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static KnownText[] of(String... texts) {
        return Arrays.stream(texts).map(KnownText::new).toArray(KnownText[]::new);
    }

    boolean matches(byte[] line, int from, int to) {
        return to - from == bytes.length && Arrays.equals(line, from, to, bytes, 0, bytes.length);
    }

    String text() {
        return text;
    }
}
