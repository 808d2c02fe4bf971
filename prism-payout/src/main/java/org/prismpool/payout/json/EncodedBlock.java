package org.prismpool.payout.json;

import java.nio.charset.StandardCharsets;

/**
 * The bytes of a document on their way to a sink, in blocks: digits, texts with their escapes, and what was encoded before.
 * Knows nothing of the structure of a document. Confined to one thread.
 */
final class EncodedBlock {

    private static final int SHORT_TEXT = 16; // below, copying characters is faster than encoding
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final ByteSink sink;
    private final byte[] block;
    private int used;

    EncodedBlock(ByteSink sink, int blockSize) {
        this.sink = sink;
        this.block = new byte[blockSize];
    }

    void raw(byte[] bytes, int offset, int length) {
        if (length > block.length) {
            drain();
            sink.accept(bytes, offset, length);
            return;
        }
        if (used + length > block.length) {
            drain();
        }
        System.arraycopy(bytes, offset, block, used, length);
        used += length;
    }

    void put(int ascii) {
        if (used == block.length) {
            drain();
        }
        block[used++] = (byte) ascii;
    }

    void raw(byte[] bytes) {
        if (used + bytes.length > block.length) {
            drain();
        }
        System.arraycopy(bytes, 0, block, used, bytes.length);
        used += bytes.length;
    }

    void ascii(String text) {
        for (int i = 0; i < text.length(); i++) {
            put(text.charAt(i));
        }
    }

    void quoted(String value) {
        put('"');
        if (value.length() < SHORT_TEXT || !plain(value)) {
            escaped(value);
        }
        put('"');
    }

    void signedDigits(long value) {
        if (value >= 0) {
            digits(value);
        } else if (value == Long.MIN_VALUE) {
            ascii("-9223372036854775808");
        } else {
            put('-');
            digits(-value);
        }
    }

    void unsignedDigits(long value) {
        if (value >= 0) {
            digits(value);
        } else {
            ascii(Long.toUnsignedString(value));
        }
    }

    void unsignedDigits(U128 value) {
        if (value.high() == 0) {
            unsignedDigits(value.low());
        } else {
            ascii(value.toString());
        }
    }

    private void digits(long value) {
        if (used + Decimal.MAX_DIGITS > block.length) {
            drain();
        }
        used += Decimal.write(value, block, used);
    }

    /** Writes a text that needs no escape; false leaves it to {@link #escaped}. */
    private boolean plain(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (Ascii.firstSpecial(bytes, 0, bytes.length) < bytes.length) {
            return false;
        }
        raw(bytes, 0, bytes.length);
        return true;
    }

    private void escaped(String text) {
        int length = text.length();
        int at = 0;
        while (at < length) {
            int run = Math.min(length - at, block.length);
            if (used + run > block.length) {
                drain();
            }
            int stop = at + run;
            byte[] out = block;
            int to = used;
            while (at < stop) {
                char c = text.charAt(at);
                if (c < 0x20 || c == '"' || c == '\\' || c >= 0x80) {
                    break;
                }
                out[to++] = (byte) c;
                at++;
            }
            used = to;
            if (at < stop) {
                at = special(text, at);
            }
        }
    }

    private int special(String text, int at) {
        char c = text.charAt(at);
        if (c >= 0x80) {
            int codePoint = text.codePointAt(at);
            if (codePoint >= 0xd800 && codePoint <= 0xdfff) {
                throw new IllegalArgumentException("text has a lone surrogate");
            }
            utf8(codePoint);
            return at + Character.charCount(codePoint);
        }
        switch (c) {
            case '"' -> ascii("\\\"");
            case '\\' -> ascii("\\\\");
            case '\b' -> ascii("\\b");
            case '\t' -> ascii("\\t");
            case '\n' -> ascii("\\n");
            case '\f' -> ascii("\\f");
            case '\r' -> ascii("\\r");
            default -> {
                ascii("\\u00");
                put(HEX[c >> 4]);
                put(HEX[c & 15]);
            }
        }
        return at + 1;
    }

    private void utf8(int codePoint) {
        if (codePoint < 0x800) {
            put(0xc0 | (codePoint >> 6));
        } else if (codePoint < 0x10000) {
            put(0xe0 | (codePoint >> 12));
            put(0x80 | ((codePoint >> 6) & 0x3f));
        } else {
            put(0xf0 | (codePoint >> 18));
            put(0x80 | ((codePoint >> 12) & 0x3f));
            put(0x80 | ((codePoint >> 6) & 0x3f));
        }
        put(0x80 | (codePoint & 0x3f));
    }

    void drain() {
        if (used > 0) {
            sink.accept(block, 0, used);
            used = 0;
        }
    }
}
