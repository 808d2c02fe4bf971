package org.prismpool.stratum.codec;

/** Strict ASCII hex: digits and letters of either case, no signs, spaces or prefixes. */
public final class HexText {

    private static final byte[] LOWER = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
    };

    private HexText() {}

    /**
     * Returns the value of one hex digit.
     *
     * @param c a character
     * @return 0 to 15, or -1 if it is no hex digit
     */
    public static int digit(char c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        if (c >= 'a' && c <= 'f') {
            return c - 'a' + 10;
        }
        if (c >= 'A' && c <= 'F') {
            return c - 'A' + 10;
        }
        return -1;
    }

    /**
     * Reads eight hex digits as a 32-bit number, most significant digit first.
     *
     * @param text the digits
     * @return 0 to 2^32-1, or -1 if the text is not exactly eight hex digits
     */
    public static long unsigned32(String text) {
        if (text.length() != 8) {
            return -1;
        }
        long value = 0;
        for (int i = 0; i < 8; i++) {
            int digit = digit(text.charAt(i));
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    /**
     * Decodes hex into an array.
     *
     * @param text an even number of digits
     * @param out receives the bytes
     * @param offset first index in {@code out}
     * @return false, with {@code out} partly written, if a character is no hex digit
     */
    public static boolean decode(String text, byte[] out, int offset) {
        for (int i = 0; i < text.length() / 2; i++) {
            int high = digit(text.charAt(2 * i));
            int low = digit(text.charAt(2 * i + 1));
            if (high < 0 || low < 0) {
                return false;
            }
            out[offset + i] = (byte) (high << 4 | low);
        }
        return true;
    }

    /**
     * Writes a 32-bit number as eight lower-case digits.
     *
     * @param value the number; all 32 bits count
     * @return eight digits, most significant first
     */
    public static String ofInt(int value) {
        byte[] text = new byte[8];
        for (int i = 0; i < 8; i++) {
            text[i] = LOWER[value >>> 28 - 4 * i & 0xf];
        }
        return ascii(text);
    }

    /**
     * Encodes bytes as lower-case hex.
     *
     * @param bytes the bytes, in order
     * @return two digits per byte
     */
    public static String of(byte[] bytes) {
        byte[] text = new byte[2 * bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            text[2 * i] = LOWER[bytes[i] >>> 4 & 0xf];
            text[2 * i + 1] = LOWER[bytes[i] & 0xf];
        }
        return ascii(text);
    }

    private static String ascii(byte[] text) {
        return new String(text, java.nio.charset.StandardCharsets.ISO_8859_1);
    }
}
