package org.prismpool.templates.chain;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Strict hexadecimal text: two digits per byte, no prefix, no white space. Writes lower case, reads either case.
 */
public final class Hex {

    // Both digits of each byte value, the first one in the high half, and one store for both: a found block of
    // megabytes is encoded before it can be offered.
    private static final short[] PAIRS = pairs();
    private static final VarHandle TWO_DIGITS =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final byte[] VALUES = values();

    private Hex() {}

    /**
     * Encodes bytes.
     *
     * @param bytes any length
     * @return lower-case text of twice the length
     */
    public static String encode(byte[] bytes) {
        return encode(bytes, 0, bytes.length);
    }

    /**
     * Encodes a range of bytes.
     *
     * @param bytes source
     * @param offset first byte
     * @param length number of bytes
     * @return lower-case text of twice the length
     */
    public static String encode(byte[] bytes, int offset, int length) {
        byte[] text = new byte[length * 2];
        for (int i = 0; i < length; i++) {
            TWO_DIGITS.set(text, 2 * i, PAIRS[bytes[offset + i] & 0xff]);
        }
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    /**
     * Decodes text.
     *
     * @param text an even number of hexadecimal digits, possibly none
     * @return the bytes
     * @throws IllegalArgumentException if the length is odd or a character is not a digit; the text is not repeated
     */
    public static byte[] decode(CharSequence text) {
        int length = text.length();
        if ((length & 1) != 0) {
            throw new IllegalArgumentException("hex text has an odd number of digits: " + length);
        }
        // One pass over plain bytes: a template carries megabytes of hex. Other characters become '?', no digit either.
        byte[] digits = text.toString().getBytes(StandardCharsets.ISO_8859_1);
        byte[] bytes = new byte[length / 2];
        int invalid = 0;
        for (int i = 0; i < bytes.length; i++) {
            int high = VALUES[digits[2 * i] & 0xff];
            int low = VALUES[digits[2 * i + 1] & 0xff];
            invalid |= high | low;
            bytes[i] = (byte) ((high << 4) | low);
        }
        if (invalid < 0) {
            throw new IllegalArgumentException("text holds a character that is not a hex digit");
        }
        return bytes;
    }

    /**
     * Decodes text of a fixed size.
     *
     * @param text exactly {@code 2 * size} hexadecimal digits
     * @param size expected number of bytes
     * @return the bytes
     * @throws IllegalArgumentException if the length differs or a character is not a digit
     */
    public static byte[] decode(CharSequence text, int size) {
        if (text.length() != 2 * size) {
            throw new IllegalArgumentException("expected " + 2 * size + " hex digits, got " + text.length());
        }
        return decode(text);
    }

    private static short[] pairs() {
        short[] pairs = new short[256];
        for (int value = 0; value < pairs.length; value++) {
            pairs[value] = (short) (Character.forDigit(value >> 4, 16) << 8 | Character.forDigit(value & 0xf, 16));
        }
        return pairs;
    }

    private static byte[] values() {
        byte[] values = new byte[256];
        for (int c = 0; c < values.length; c++) {
            values[c] = (byte) Character.digit((char) c, 16); // -1 for all but ASCII digits, in this range
        }
        return values;
    }
}
