package org.prismpool.templates.chain;

/**
 * Strict hexadecimal text: two digits per byte, no prefix, no white space. Writes lower case, reads either case.
 */
public final class Hex {

    private static final char[] DIGITS = "0123456789abcdef".toCharArray();

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
        char[] text = new char[length * 2];
        for (int i = 0; i < length; i++) {
            int value = bytes[offset + i];
            text[2 * i] = DIGITS[(value >> 4) & 0xf];
            text[2 * i + 1] = DIGITS[value & 0xf];
        }
        return new String(text);
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
        byte[] bytes = new byte[length / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) ((digit(text, 2 * i) << 4) | digit(text, 2 * i + 1));
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

    private static int digit(CharSequence text, int index) {
        char c = text.charAt(index);
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        if (c >= 'a' && c <= 'f') {
            return c - 'a' + 10;
        }
        if (c >= 'A' && c <= 'F') {
            return c - 'A' + 10;
        }
        throw new IllegalArgumentException("not a hex digit at position " + index);
    }
}
