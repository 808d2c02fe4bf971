package org.prismpool.stratum.codec;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** JSON text in ASCII: everything else is written as an escape. */
final class AsciiJson {

    private AsciiJson() {}

    /** Copies JSON text, writing characters beyond ASCII (they stand inside strings) as escapes. */
    static byte[] raw(byte[] line, int from, int to) {
        for (int i = from; i < to; i++) {
            if (line[i] < 0) {
                return escapedRaw(new String(line, from, to - from, StandardCharsets.UTF_8));
            }
        }
        byte[] copy = new byte[to - from];
        System.arraycopy(line, from, copy, 0, copy.length);
        return copy;
    }

    private static byte[] escapedRaw(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                out.write(c);
            } else {
                unicode(out, c);
            }
        }
        return out.toByteArray();
    }

    /** Writes a string literal with its quotes. */
    static void quote(ByteArrayOutputStream out, String text) {
        out.write('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.write('\\');
                out.write(c);
            } else if (c < 0x20 || c >= 0x7f) {
                unicode(out, c);
            } else {
                out.write(c);
            }
        }
        out.write('"');
    }

    private static void unicode(ByteArrayOutputStream out, char c) {
        out.writeBytes(("\\u" + HexText.ofInt(c).substring(4)).getBytes(StandardCharsets.ISO_8859_1));
    }
}
