package org.prismpool.payout.json;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads numbers: integers exactly, other numbers only to skip or keep their text. */
final class NumberScanner {

    private static final int MAX_INTEGER_DIGITS = 39; // 2^128 - 1
    private static final int MAX_NUMBER_CHARACTERS = 1000;

    private final ByteWindow window;
    private final @Nullable U128[] recent = new @Nullable U128[1024]; // values below 2^64 only
    private long small;

    NumberScanner(ByteWindow window) {
        this.window = window;
    }

    /** Returns the value of the last integer that fits in 18 digits. */
    long small() {
        return small;
    }

    long unsigned64() {
        if (window.peek() == '-') {
            throw error("number out of range");
        }
        BigInteger wide = integer();
        if (wide == null) {
            return small;
        }
        if (wide.bitLength() > 64) {
            throw error("number out of range");
        }
        return wide.longValue();
    }

    U128 unsigned128() {
        if (window.peek() == '-') {
            throw error("number out of range");
        }
        BigInteger wide = integer();
        if (wide == null) {
            return shared(small);
        }
        if (wide.bitLength() > 128) {
            throw error("number out of range");
        }
        return U128.of(wide);
    }

    /** Difficulties repeat: equal ones mostly come back as one object. */
    private U128 shared(long value) {
        int slot = (int) (value ^ (value >>> 16)) & (recent.length - 1);
        U128 known = recent[slot];
        if (known == null || known.low() != value) {
            known = U128.ofUnsigned(value);
            recent[slot] = known;
        }
        return known;
    }

    /** Reads an integer with an optional minus; null means that {@link #small} holds it. */
    @Nullable BigInteger signedWide() {
        boolean negative = window.peek() == '-';
        if (negative) {
            window.at++;
        }
        BigInteger wide = integer();
        if (!negative) {
            return wide;
        }
        if (wide != null) {
            return wide.negate();
        }
        if (small == 0) {
            throw error("minus zero is not an integer");
        }
        small = -small;
        return null;
    }

    /** Reads digits; null means that {@link #small} holds the value. */
    private @Nullable BigInteger integer() {
        ByteWindow w = window;
        w.mark();
        int digits = 0;
        long value = 0;
        while (true) {
            int b = w.at < w.limit ? w.bytes[w.at] : w.peek();
            if (b < '0' || b > '9') {
                break;
            }
            if (++digits > MAX_INTEGER_DIGITS) {
                throw error("number out of range");
            }
            value = value * 10 + (b - '0');
            w.at++;
        }
        int next = w.peek(); // may move the mark
        int start = w.markIndex();
        if (digits == 0) {
            throw error("expected an integer");
        }
        if (digits > 1 && w.bytes[start] == '0') {
            throw error("leading zero");
        }
        if (next == '.' || next == 'e' || next == 'E') {
            throw error("expected an integer");
        }
        BigInteger wide =
                digits <= 18 ? null : new BigInteger(new String(w.bytes, start, digits, StandardCharsets.US_ASCII));
        small = value;
        w.release();
        return wide;
    }

    /** Reads any JSON number and returns its text. */
    String any() {
        ByteWindow w = window;
        w.mark();
        if (w.peek() == '-') {
            w.at++;
        }
        if (w.peek() == '0') {
            w.at++;
        } else {
            digits();
        }
        if (w.peek() == '.') {
            w.at++;
            digits();
        }
        int e = w.peek();
        if (e == 'e' || e == 'E') {
            w.at++;
            int sign = w.peek();
            if (sign == '+' || sign == '-') {
                w.at++;
            }
            digits();
        }
        int after = w.peek();
        if (after >= '0' && after <= '9') {
            throw error("leading zero");
        }
        int start = w.markIndex();
        String text = new String(w.bytes, start, w.at - start, StandardCharsets.US_ASCII);
        w.release();
        return text;
    }

    private void digits() {
        int count = 0;
        for (int b = window.peek(); b >= '0' && b <= '9'; b = window.peek()) {
            window.at++;
            if (++count > MAX_NUMBER_CHARACTERS) {
                throw error("number is too long");
            }
        }
        if (count == 0) {
            throw error("expected value");
        }
    }

    private JsonException error(String what) {
        return new JsonException(what + " at byte " + window.position());
    }
}
