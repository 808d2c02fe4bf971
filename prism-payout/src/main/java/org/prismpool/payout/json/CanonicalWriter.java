package org.prismpool.payout.json;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
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

    private final EncodedBlock out;
    private final boolean pretty;
    private int depth;
    private boolean first = true; // no member or element since the last opening bracket
    private boolean afterName;

    private CanonicalWriter(ByteSink sink, boolean pretty, int blockSize) {
        this.out = new EncodedBlock(sink, blockSize);
        this.pretty = pretty;
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
        return bytesOf(document, SMALL_BLOCK);
    }

    /**
     * Returns the same as {@link #bytesOf(Consumer)}: a good guess of the size spares copies of documents of some megabytes.
     *
     * @param document writes the document
     * @param sizeGuess about how many bytes it has
     * @return the bytes
     */
    public static byte[] bytesOf(Consumer<CanonicalWriter> document, int sizeGuess) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(sizeGuess);
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
        out.raw(name.encoded());
        if (pretty) {
            out.put(' ');
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
        out.quoted(value);
    }

    /**
     * Writes an integer of 64 bits with a sign.
     *
     * @param value the number
     */
    public void signed(long value) {
        separate();
        out.signedDigits(value);
    }

    /**
     * Writes an unsigned integer of 64 bits.
     *
     * @param value the bits, read as unsigned
     */
    public void unsigned(long value) {
        separate();
        out.unsignedDigits(value);
    }

    /**
     * Writes an unsigned integer of 128 bits.
     *
     * @param value the number
     */
    public void unsigned(U128 value) {
        separate();
        out.unsignedDigits(value);
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
            out.ascii(value.toString());
        }
    }

    /**
     * Writes {@code true} or {@code false}.
     *
     * @param value the value
     */
    public void bool(boolean value) {
        separate();
        out.ascii(Boolean.toString(value));
    }

    /** Writes {@code null}. */
    public void nothing() {
        separate();
        out.ascii("null");
    }

    /**
     * Writes a text member.
     *
     * @param name the name
     * @param value the text
     */
    public void member(Name name, String value) {
        named(name);
        out.quoted(value);
    }

    /**
     * Writes an unsigned 64-bit member.
     *
     * @param name the name
     * @param value the bits, read as unsigned
     */
    public void member(Name name, long value) {
        named(name);
        out.unsignedDigits(value);
    }

    /**
     * Writes a signed 64-bit member.
     *
     * @param name the name
     * @param value the number
     */
    public void signedMember(Name name, long value) {
        named(name);
        out.signedDigits(value);
    }

    /**
     * Writes an unsigned 128-bit member.
     *
     * @param name the name
     * @param value the number
     */
    public void member(Name name, U128 value) {
        named(name);
        out.unsignedDigits(value);
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
        out.raw(bytes, offset, length);
    }

    /** Sends everything written so far to the sink. */
    public void flush() {
        out.drain();
    }

    /** Ends the document with a newline and sends it. */
    public void finishLine() {
        out.put('\n');
        out.drain();
    }

    private void begin(char bracket) {
        separate();
        out.put(bracket);
        depth++;
        first = true;
    }

    private void end(char bracket) {
        depth--;
        if (pretty && !first) {
            newLine();
        }
        out.put(bracket);
        first = false;
    }

    /** Writes a name whose value follows at once: in the compact form one copy with its comma. */
    private void named(Name name) {
        if (pretty) {
            name(name);
            afterName = false;
            return;
        }
        out.raw(first ? name.encoded() : name.encodedAfterComma());
        first = false;
    }

    private void separate() {
        if (afterName) {
            afterName = false;
            return;
        }
        if (depth > 0) {
            if (!first) {
                out.put(',');
            }
            if (pretty) {
                newLine();
            }
        }
        first = false;
    }

    private void newLine() {
        out.put('\n');
        for (int i = 0; i < depth; i++) {
            out.put(' ');
            out.put(' ');
        }
    }
}
