package org.prismpool.templates.chain;

import java.nio.charset.StandardCharsets;

/**
 * Strict hexadecimal text: two digits per byte, no prefix, no white space. Writes lower case, reads either case.
 */
public final class Hex {

    // Both digits of each byte value: a found block of megabytes is encoded before it can be offered.
    private static final byte[] PAIRS = pairs();
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
            int pair = (bytes[offset + i] & 0xff) * 2;
            text[2 * i] = PAIRS[pair];
            text[2 * i + 1] = PAIRS[pair + 1];
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

    private static byte[] pairs() {
        byte[] pairs = new byte[512];
        for (int value = 0; value < 256; value++) {
            pairs[2 * value] = (byte) Character.forDigit(value >> 4, 16);
            pairs[2 * value + 1] = (byte) Character.forDigit(value & 0xf, 16);
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
