package org.prismpool.payout.json;

import java.io.InputStream;
import java.math.BigInteger;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads one JSON document strictly (RFC 8259) and exactly: integers of up to 128 bits without rounding, texts as valid
 * UTF-8 without lone surrogates, nothing but whitespace after the value, at most 128 levels of nesting.
 *
 * <p>A pull parser over a stream: memory use is bounded by the longest single text. Confined to one thread. Every method
 * that reads throws {@link JsonException} for malformed input and {@link java.io.UncheckedIOException} when the stream fails.
 */
public final class ExactReader {

    /** Levels of objects and arrays that a document may nest. */
    public static final int MAX_DEPTH = 128;

    /** Bytes of the longest single text or number. */
    public static final int MAX_TOKEN_BYTES = 1 << 27;

    /** Bytes of the largest document unless another limit is given. */
    public static final long DEFAULT_MAX_BYTES = 1L << 32;

    private static final BigInteger MAX_I128 = BigInteger.ONE.shiftLeft(127).subtract(BigInteger.ONE);
    private static final BigInteger MIN_I128 = BigInteger.ONE.shiftLeft(127).negate();

    private final ByteWindow window;
    private final StringScanner strings;
    private final NumberScanner numbers;
    private final boolean[] first = new boolean[MAX_DEPTH + 1];
    private int depth;

    private ExactReader(ByteWindow window) {
        this.window = window;
        this.strings = new StringScanner(window);
        this.numbers = new NumberScanner(window);
    }

    /**
     * Returns a reader of a stream.
     *
     * @param in the stream, read in large blocks and not closed
     * @return the reader
     */
    public static ExactReader of(InputStream in) {
        return of(in, DEFAULT_MAX_BYTES);
    }

    /**
     * Returns a reader of a stream with a limit.
     *
     * @param in the stream, read in large blocks and not closed
     * @param maxBytes bytes that the document may have at most
     * @return the reader
     */
    public static ExactReader of(InputStream in, long maxBytes) {
        return new ExactReader(new ByteWindow(in, maxBytes, MAX_TOKEN_BYTES));
    }

    /**
     * Returns a reader of bytes in memory.
     *
     * @param document the bytes, not changed by the reader
     * @return the reader
     */
    public static ExactReader of(byte[] document) {
        return new ExactReader(new ByteWindow(document.clone(), Integer.MAX_VALUE - 8));
    }

    /**
     * Opens an object.
     *
     * @param shape its known members
     * @return the cursor that reads and closes it
     */
    public ObjectCursor object(ObjectShape shape) {
        open('{', "an object");
        return new ObjectCursor(this, shape);
    }

    /** Opens an array; {@link #hasElement} walks and closes it. */
    public void array() {
        open('[', "an array");
    }

    /**
     * Moves to the next element of the innermost array.
     *
     * @return whether there is one; false closes the array
     */
    public boolean hasElement() {
        return hasNext(']');
    }

    /**
     * Reads a text.
     *
     * @return the text
     */
    public String text() {
        expect('"', "a string");
        return strings.text();
    }

    /**
     * Reads a text that occurs often; equal texts mostly come back as one object.
     *
     * @return the text
     */
    public String sharedText() {
        expect('"', "a string");
        return strings.sharedText();
    }

    /**
     * Reads an unsigned integer of 64 bits.
     *
     * @return the bits, to be read as unsigned
     */
    public long unsigned64() {
        space();
        return numbers.unsigned64();
    }

    /**
     * Reads a signed integer of 64 bits.
     *
     * @return the number
     */
    public long signed64() {
        space();
        BigInteger wide = numbers.signedWide();
        if (wide == null) {
            return numbers.small();
        }
        if (wide.bitLength() > 63) {
            throw error("number out of range");
        }
        return wide.longValue();
    }

    /**
     * Reads an unsigned integer with an upper limit.
     *
     * @param max the largest legal value, 0 or more
     * @return the number
     */
    public long unsigned(long max) {
        long value = unsigned64();
        if (value < 0 || value > max) {
            throw error("number out of range");
        }
        return value;
    }

    /**
     * Reads an unsigned integer of 32 bits.
     *
     * @return 0 to 2^32 - 1
     */
    public long unsigned32() {
        return unsigned(0xffff_ffffL);
    }

    /**
     * Reads an unsigned integer of 128 bits.
     *
     * @return the number
     */
    public U128 unsigned128() {
        space();
        return numbers.unsigned128();
    }

    /**
     * Reads a signed integer of 128 bits.
     *
     * @return the number
     */
    public BigInteger signed128() {
        space();
        BigInteger wide = numbers.signedWide();
        if (wide == null) {
            return BigInteger.valueOf(numbers.small());
        }
        if (wide.compareTo(MAX_I128) > 0 || wide.compareTo(MIN_I128) < 0) {
            throw error("number out of range");
        }
        return wide;
    }

    /**
     * Reads {@code true} or {@code false}.
     *
     * @return the value
     */
    public boolean bool() {
        space();
        boolean value = window.peek() == 't';
        literal(value ? "true" : "false");
        return value;
    }

    /**
     * Takes a {@code null} if it is next.
     *
     * @return whether it was
     */
    public boolean nullNext() {
        space();
        if (window.peek() != 'n') {
            return false;
        }
        literal("null");
        return true;
    }

    /**
     * Reads a value that may be {@code null}.
     *
     * @param <T> type of the value
     * @param value reads the value
     * @return the value, empty for {@code null}
     */
    public <T> Optional<T> optional(Supplier<T> value) {
        return nullNext() ? Optional.empty() : Optional.of(value.get());
    }

    /** Reads any value and forgets it; its syntax is checked all the same. */
    public void skip() {
        space();
        switch (window.peek()) {
            case '{' -> {
                open('{', "an object");
                while (hasMember()) {
                    strings.skip();
                    colon();
                    skip();
                }
            }
            case '[' -> {
                array();
                while (hasElement()) {
                    skip();
                }
            }
            case '"' -> {
                window.at++;
                strings.skip();
            }
            case 't', 'f' -> bool();
            case 'n' -> literal("null");
            default -> numbers.any();
        }
    }

    /** Checks that nothing but whitespace follows. */
    public void end() {
        space();
        if (window.peek() >= 0) {
            throw error("trailing characters");
        }
    }

    /**
     * Returns an error that names the current position.
     *
     * @param what what is wrong, one line
     * @return the exception, to be thrown
     */
    public JsonException error(String what) {
        return new JsonException(what + " at byte " + window.position());
    }

    /** Returns the first byte of the next value without taking it, or -1 at the end of the input. */
    int peekValue() {
        space();
        return window.peek();
    }

    /** Reads any number as its text. */
    String numberText() {
        space();
        return numbers.any();
    }

    /** Takes a run of members whose first name was read, if it is a known one. */
    <T> Optional<T> known(MemberRuns<T> runs) {
        return runs.take(window);
    }

    boolean hasMember() {
        if (!hasNext('}')) {
            return false;
        }
        space();
        expect('"', "a member name");
        return true;
    }

    /** Reads a name and its colon; the opening quote is taken. Returns its index in the shape, or -1. */
    int memberName(ObjectShape shape, int expected) {
        int index = expected < shape.size() && strings.matches(shape.name(expected))
                ? expected
                : shape.indexOf(strings.text());
        colon();
        return index;
    }

    /** Reads a name and its colon; the opening quote is taken. */
    String memberName() {
        String name = strings.sharedText();
        colon();
        return name;
    }

    void openObject() {
        open('{', "an object");
    }

    private void open(char bracket, String what) {
        expect(bracket, what);
        if (++depth > MAX_DEPTH) {
            throw error("nested deeper than " + MAX_DEPTH + " levels");
        }
        first[depth] = true;
    }

    private boolean hasNext(char close) {
        space();
        int next = window.peek();
        if (next == close) {
            window.at++;
            depth--;
            return false;
        }
        if (first[depth]) {
            first[depth] = false;
            return true;
        }
        if (next != ',') {
            throw error(next < 0 ? "EOF inside a list or object" : "expected `,` or `" + close + "`");
        }
        window.at++;
        space();
        if (window.peek() == close) {
            throw error("trailing comma");
        }
        return true;
    }

    private void colon() {
        expect(':', "`:`");
    }

    private void expect(char wanted, String what) {
        space();
        int next = window.peek();
        if (next != wanted) {
            throw error((next < 0 ? "EOF, expected " : "expected ") + what);
        }
        window.at++;
    }

    private void literal(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (window.peek() != word.charAt(i)) {
                throw error("expected a value");
            }
            window.at++;
        }
    }

    private void space() {
        ByteWindow w = window;
        while (true) {
            while (w.at < w.limit) {
                int b = w.bytes[w.at];
                if (b > ' ' || (b != ' ' && b != '\n' && b != '\r' && b != '\t')) {
                    return;
                }
                w.at++;
            }
            if (!w.fill()) {
                return;
            }
        }
    }
}
