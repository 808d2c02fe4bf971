package org.prismpool.stratum.codec;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Recent short ASCII texts, so that those that come again are not made again. Confined to one thread. */
final class TextCache {

    static final int MAX_LENGTH = 128;

    private static final int SLOTS = 512; // a power of two

    private final JsonValue.@Nullable Text[] slots = new JsonValue.@Nullable Text[SLOTS];

    /** Returns the text of ASCII bytes. */
    JsonValue.Text get(byte[] line, int from, int to) {
        int hash = 1;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + line[i];
        }
        int slot = (hash ^ hash >>> 16) & SLOTS - 1;
        JsonValue.Text known = slots[slot];
        if (known == null || !same(known.value(), line, from, to)) {
            known = new JsonValue.Text(new String(line, from, to - from, StandardCharsets.ISO_8859_1));
            slots[slot] = known;
        }
        return known;
    }

    private static boolean same(String text, byte[] line, int from, int to) {
        if (text.length() != to - from) {
            return false;
        }
        for (int i = from; i < to; i++) {
            if (text.charAt(i - from) != line[i]) {
                return false;
            }
        }
        return true;
    }
}
