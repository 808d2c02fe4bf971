package org.prismpool.payout.json;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.function.Consumer;

/**
 * Writes the exact bytes of a document: compact UTF-8 in the order of the calls, or the same document with two-space
 * indentation. The caller decides the order of members and leaves optional ones out; nothing is sorted or skipped here.
 *
 * <p>Confined to one thread. Bytes reach the sink in blocks; {@link #flush} sends the rest.
 */
public final class CanonicalWriter {

    private static final int BLOCK = 1 << 15;
    private static final int SMALL_BLOCK = 1 << 9; // for a few members; above the longest name
    private static final int SHORT_TEXT = 16; // below, copying characters is faster than encoding
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final ByteSink sink;
    private final boolean pretty;
    private final byte[] block;
    private int used;
    private int depth;
    private boolean first = true; // no member or element since the last opening bracket
    private boolean afterName;

    private CanonicalWriter(ByteSink sink, boolean pretty, int blockSize) {
        this.sink = sink;
        this.pretty = pretty;
        this.block = new byte[blockSize];
    }

    /**
     * Returns a writer of canonical bytes: no whitespace at all.
     *
     * @param sink where the bytes go
     * @return the writer
     */
    public static CanonicalWriter compact(ByteSink sink) {
        return new CanonicalWriter(sink, false, BLOCK);
    }

    /**
     * Returns a writer of the human form: two-space indentation, one member or element per line. The newline after the
     * document is written by {@link #finishLine}.
     *
     * @param sink where the bytes go
     * @return the writer
     */
    public static CanonicalWriter pretty(ByteSink sink) {
        return new CanonicalWriter(sink, true, BLOCK);
    }

    /**
     * Returns the canonical bytes of one document.
     *
     * @param document writes the document
     * @return the bytes
     */
    public static byte[] bytesOf(Consumer<CanonicalWriter> document) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CanonicalWriter out = compact(bytes::write);
        document.accept(out);
        out.flush();
        return bytes.toByteArray();
    }

    /**
     * Returns some members in the compact form, without the brackets of their object: what {@link #encoded} takes.
     *
     * @param members writes at least one member
     * @return the bytes
     */
    public static byte[] bytesOfMembers(Consumer<CanonicalWriter> members) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(SMALL_BLOCK);
        CanonicalWriter out = new CanonicalWriter(bytes::write, false, SMALL_BLOCK);
        out.depth = 1;
        members.accept(out);
        out.flush();
        return bytes.toByteArray();
    }

    /**
     * Returns the SHA-256 of the canonical bytes of one document, without keeping the bytes.
     *
     * @param document writes the document
     * @return 32 bytes
     */
    public static byte[] sha256Of(Consumer<CanonicalWriter> document) {
        MessageDigest digest = Sha256.newDigest();
        CanonicalWriter out = compact(ByteSink.to(digest));
        document.accept(out);
        out.flush();
        return digest.digest();
    }

    /**
     * Returns the same as {@link #sha256Of}, hashing on a second thread: worth it for documents of many megabytes.
     *
     * @param document writes the document
     * @return 32 bytes
     */
    public static byte[] sha256OfLarge(Consumer<CanonicalWriter> document) {
        return OverlappedSha256.of(sink -> {
            CanonicalWriter out = compact(sink);
            document.accept(out);
            out.flush();
        });
    }

    /** Opens an object. */
    public void beginObject() {
        begin('{');
    }

    /** Closes the innermost object. */
    public void endObject() {
        end('}');
    }

    /** Opens an array. */
    public void beginArray() {
        begin('[');
    }

    /** Closes the innermost array. */
    public void endArray() {
        end(']');
    }

    /**
     * Writes a member name; the value must follow.
     *
     * @param name the name
     */
    public void name(Name name) {
        separate();
        raw(name.encoded());
        if (pretty) {
            put(' ');
        }
        afterName = true;
    }

    /**
     * Writes a text value.
     *
     * @param value the text
     */
    public void text(String value) {
        separate();
        quoted(value);
    }

    /**
     * Writes an integer of 64 bits with a sign.
     *
     * @param value the number
     */
    public void signed(long value) {
        separate();
        signedDigits(value);
    }

    /**
     * Writes an unsigned integer of 64 bits.
     *
     * @param value the bits, read as unsigned
     */
    public void unsigned(long value) {
        separate();
        unsignedDigits(value);
    }

    /**
     * Writes an unsigned integer of 128 bits.
     *
     * @param value the number
     */
    public void unsigned(U128 value) {
        separate();
        unsignedDigits(value);
    }

    /**
     * Writes an integer of any size.
     *
     * @param value the number
     */
    public void integer(BigInteger value) {
        if (value.bitLength() < 64) {
            signed(value.longValue());
        } else {
            separate();
            ascii(value.toString());
        }
    }

    /**
     * Writes {@code true} or {@code false}.
     *
     * @param value the value
     */
    public void bool(boolean value) {
        separate();
        ascii(Boolean.toString(value));
    }

    /** Writes {@code null}. */
    public void nothing() {
        separate();
        ascii("null");
    }

    /**
     * Writes a text member.
     *
     * @param name the name
     * @param value the text
     */
    public void member(Name name, String value) {
        named(name);
        quoted(value);
    }

    /**
     * Writes an unsigned 64-bit member.
     *
     * @param name the name
     * @param value the bits, read as unsigned
     */
    public void member(Name name, long value) {
        named(name);
        unsignedDigits(value);
    }

    /**
     * Writes a signed 64-bit member.
     *
     * @param name the name
     * @param value the number
     */
    public void signedMember(Name name, long value) {
        named(name);
        signedDigits(value);
    }

    /**
     * Writes an unsigned 128-bit member.
     *
     * @param name the name
     * @param value the number
     */
    public void member(Name name, U128 value) {
        named(name);
        unsignedDigits(value);
    }

    /**
     * Writes an integer member of any size.
     *
     * @param name the name
     * @param value the number
     */
    public void member(Name name, BigInteger value) {
        name(name);
        integer(value);
    }

    /**
     * Writes an array member.
     *
     * @param <T> type of the elements
     * @param name the name
     * @param elements the elements in order
     * @param element writes one element
     */
    public <T> void members(Name name, Iterable<T> elements, Consumer<? super T> element) {
        name(name);
        beginArray();
        for (T each : elements) {
            element.accept(each);
        }
        endArray();
    }

    /**
     * Returns whether {@link #encoded} may be used.
     *
     * @return true for the compact form
     */
    public boolean isCompact() {
        return !pretty;
    }

    /**
     * Writes members or elements that were encoded before in the compact form, without a leading or trailing comma.
     *
     * @param bytes the array
     * @param offset first byte
     * @param length number of bytes, more than zero
     */
    public void encoded(byte[] bytes, int offset, int length) {
        if (pretty) {
            throw new IllegalStateException("encoded bytes are compact");
        }
        separate();
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

    /** Sends everything written so far to the sink. */
    public void flush() {
        drain();
    }

    /** Ends the document with a newline and sends it. */
    public void finishLine() {
        put('\n');
        drain();
    }

    private void begin(char bracket) {
        separate();
        put(bracket);
        depth++;
        first = true;
    }

    private void end(char bracket) {
        depth--;
        if (pretty && !first) {
            newLine();
        }
        put(bracket);
        first = false;
    }

    /** Writes a name whose value follows at once: in the compact form one copy with its comma. */
    private void named(Name name) {
        if (pretty) {
            name(name);
            afterName = false;
            return;
        }
        raw(first ? name.encoded() : name.encodedAfterComma());
        first = false;
    }

    private void separate() {
        if (afterName) {
            afterName = false;
            return;
        }
        if (depth > 0) {
            if (!first) {
                put(',');
            }
            if (pretty) {
                newLine();
            }
        }
        first = false;
    }

    private void newLine() {
        put('\n');
        for (int i = 0; i < depth; i++) {
            put(' ');
            put(' ');
        }
    }

    private void put(int ascii) {
        if (used == block.length) {
            drain();
        }
        block[used++] = (byte) ascii;
    }

    private void raw(byte[] bytes) {
        if (used + bytes.length > block.length) {
            drain();
        }
        System.arraycopy(bytes, 0, block, used, bytes.length);
        used += bytes.length;
    }

    private void ascii(String text) {
        for (int i = 0; i < text.length(); i++) {
            put(text.charAt(i));
        }
    }

    private void quoted(String value) {
        put('"');
        if (value.length() < SHORT_TEXT || !plain(value)) {
            escaped(value);
        }
        put('"');
    }

    private void signedDigits(long value) {
        if (value >= 0) {
            digits(value);
        } else if (value == Long.MIN_VALUE) {
            ascii("-9223372036854775808");
        } else {
            put('-');
            digits(-value);
        }
    }

    private void unsignedDigits(long value) {
        if (value >= 0) {
            digits(value);
        } else {
            ascii(Long.toUnsignedString(value));
        }
    }

    private void unsignedDigits(U128 value) {
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

    /** Writes a text that needs no escape and fits a block; false leaves it to {@link #escaped}. */
    private boolean plain(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > block.length || Ascii.firstSpecial(bytes, 0, bytes.length) < bytes.length) {
            return false;
        }
        raw(bytes);
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

    private void drain() {
        if (used > 0) {
            sink.accept(block, 0, used);
            used = 0;
        }
    }
}
