package org.prismpool.payout.json;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads strings whose opening quote is already taken. */
final class StringScanner {

    private static final int FIRST_SLOTS = 1 << 8; // a power of two
    private static final int MAX_SLOTS = 1 << 17; // some times the texts of ten thousand miners
    private static final int CACHED_LENGTH = 256;

    private final ByteWindow window;
    private final CharsetDecoder utf8 = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    private @Nullable Known[] cache = new @Nullable Known[FIRST_SLOTS];
    private int displaced; // texts that another one took the slot of, since the cache grew last

    StringScanner(ByteWindow window) {
        this.window = window;
    }

    /** Takes a member name and its closing quote if it is exactly this one. */
    boolean matches(Name name) {
        byte[] encoded = name.encoded(); // quote, name, quote, colon
        int length = encoded.length - 2;
        if (window.limit - window.at < length) {
            return false;
        }
        int at = window.at;
        if (!Arrays.equals(window.bytes, at, at + length, encoded, 1, length + 1)) {
            return false;
        }
        window.at = at + length;
        return true;
    }

    String text() {
        if (simple()) {
            return latin1();
        }
        return complex();
    }

    String sharedText() {
        if (!simple()) {
            return complex();
        }
        int from = window.markIndex();
        int length = window.at - 1 - from;
        if (length > CACHED_LENGTH) {
            return latin1();
        }
        byte[] bytes = window.bytes;
        int hash = Ascii.hash(bytes, from, from + length);
        int slot = hash & (cache.length - 1);
        Known known = cache[slot];
        if (known != null && Arrays.equals(known.bytes, 0, known.bytes.length, bytes, from, from + length)) {
            window.release();
            return known.text;
        }
        Known read = new Known(Arrays.copyOfRange(bytes, from, from + length), hash);
        window.release();
        cache[slot] = read;
        if (known != null && ++displaced > cache.length && cache.length < MAX_SLOTS) {
            grow();
        }
        return read.text;
    }

    private void grow() {
        @Nullable Known[] larger = new @Nullable Known[cache.length << 2];
        for (Known known : cache) {
            if (known != null) {
                larger[known.hash & (larger.length - 1)] = known;
            }
        }
        cache = larger;
        displaced = 0;
    }

    /** A text that was read before. */
    private static final class Known {
        final byte[] bytes;
        final int hash;
        final String text;

        Known(byte[] bytes, int hash) {
            this.bytes = bytes;
            this.hash = hash;
            this.text = new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }

    void skip() {
        if (simple()) {
            window.release();
        } else {
            complex();
        }
    }

    /** Scans to the closing quote and takes it; false if an escape or a byte outside ASCII came first. */
    private boolean simple() {
        ByteWindow w = window;
        w.mark();
        while (true) {
            int at = Ascii.firstSpecial(w.bytes, w.at, w.limit);
            if (at < w.limit) {
                boolean quote = w.bytes[at] == '"';
                w.at = quote ? at + 1 : at;
                return quote;
            }
            w.at = at;
            if (!w.fill()) {
                throw error("EOF inside a string");
            }
        }
    }

    private String latin1() {
        int from = window.markIndex();
        String text = new String(window.bytes, from, window.at - 1 - from, StandardCharsets.ISO_8859_1);
        window.release();
        return text;
    }

    private String complex() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        while (true) {
            int b = window.peek();
            if (b < 0) {
                throw error("EOF inside a string");
            }
            if (b == '"' || b == '\\') {
                append(out);
                window.at++;
                if (b == '"') {
                    return decode(out.toByteArray());
                }
                escape(out);
                window.mark();
            } else if (b < 0x20) {
                throw error("control character inside a string");
            } else {
                window.at++;
            }
        }
    }

    private void append(ByteArrayOutputStream out) {
        int from = window.markIndex();
        out.write(window.bytes, from, window.at - from);
        if (out.size() > window.maxToken) {
            throw error("string is too long");
        }
        window.release();
    }

    private void escape(ByteArrayOutputStream out) {
        int b = window.peek();
        window.at++;
        switch (b) {
            case '"', '\\', '/' -> out.write(b);
            case 'b' -> out.write('\b');
            case 'f' -> out.write('\f');
            case 'n' -> out.write('\n');
            case 'r' -> out.write('\r');
            case 't' -> out.write('\t');
            case 'u' -> out.writeBytes(Character.toString(codePoint()).getBytes(StandardCharsets.UTF_8));
            default -> throw error("invalid escape");
        }
    }

    private int codePoint() {
        int unit = unit();
        if (!Character.isSurrogate((char) unit)) {
            return unit;
        }
        if (Character.isHighSurrogate((char) unit) && window.peek() == '\\') {
            window.at++;
            if (window.peek() == 'u') {
                window.at++;
                int low = unit();
                if (Character.isLowSurrogate((char) low)) {
                    return Character.toCodePoint((char) unit, (char) low);
                }
            }
        }
        throw error("lone surrogate in a string");
    }

    private int unit() {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            int b = window.peek();
            int digit = b < 0 ? -1 : Character.digit(b, 16);
            if (digit < 0) {
                throw error("invalid unicode escape");
            }
            unit = (unit << 4) | digit;
            window.at++;
        }
        return unit;
    }

    private String decode(byte[] bytes) {
        try {
            return utf8.decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new JsonException("invalid UTF-8 in a string before byte " + window.position());
        }
    }

    private JsonException error(String what) {
        return new JsonException(what + " at byte " + window.position());
    }
}
