package org.prismpool.payout.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Hexadecimal text as the payout documents spell it: written in lower case, read in either case, with the exact
 * texts for malformed input that error messages quote.
 */
public final class Hex {

    private static final HexFormat LOWER = HexFormat.of();
    private static final byte[] DIGITS = new byte[128];

    static {
        Arrays.fill(DIGITS, (byte) -1);
        for (int i = 0; i < 16; i++) {
            DIGITS["0123456789abcdef".charAt(i)] = (byte) i;
            DIGITS["0123456789ABCDEF".charAt(i)] = (byte) i;
        }
    }

    private Hex() {}

    /** Text that is not hexadecimal; the message is the reason that contract texts quote. */
    public static final class MalformedHexException extends Exception {

        private static final long serialVersionUID = 1L;

        private MalformedHexException(String message) {
            super(message, null, false, false);
        }

        /**
         * Returns the reason.
         *
         * @return {@code Odd number of digits} or {@code Invalid character 'c' at position i}
         */
        public String reason() {
            return String.valueOf(getMessage());
        }
    }

    /**
     * Encodes bytes in lower case.
     *
     * @param bytes the bytes
     * @return two digits for each byte
     */
    public static String encode(byte[] bytes) {
        return LOWER.formatHex(bytes);
    }

    /**
     * Decodes text of either case.
     *
     * @param text the text
     * @return the bytes
     * @throws MalformedHexException if it has an odd length in UTF-8 bytes or another character than a digit
     */
    public static byte[] decode(String text) throws MalformedHexException {
        int length = text.length();
        byte[] out = new byte[length / 2];
        if ((length & 1) != 0) {
            throw malformed(text);
        }
        for (int i = 0; i < length; i += 2) {
            int high = digit(text.charAt(i));
            int low = digit(text.charAt(i + 1));
            if ((high | low) < 0) {
                throw malformed(text);
            }
            out[i >> 1] = (byte) ((high << 4) | low);
        }
        return out;
    }

    /**
     * Lower-cases ASCII letters only, independent of any locale.
     *
     * @param text the text
     * @return the text with A to Z replaced by a to z
     */
    public static String asciiLowerCase(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                return lowered(text, i);
            }
        }
        return text;
    }

    /**
     * Compares two texts without regard to the case of ASCII letters.
     *
     * @param left one text
     * @param right the other text
     * @return whether they are equal
     */
    public static boolean equalsIgnoringAsciiCase(String left, String right) {
        return left.length() == right.length() && asciiLowerCase(left).equals(asciiLowerCase(right));
    }

    private static String lowered(String text, int from) {
        char[] chars = text.toCharArray();
        for (int i = from; i < chars.length; i++) {
            if (chars[i] >= 'A' && chars[i] <= 'Z') {
                chars[i] = (char) (chars[i] + ('a' - 'A'));
            }
        }
        return new String(chars);
    }

    private static int digit(char c) {
        return c < 128 ? DIGITS[c] : -1;
    }

    // Positions and the odd-length test count UTF-8 bytes; a byte outside ASCII is quoted as the Latin-1 character.
    private static MalformedHexException malformed(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        if ((utf8.length & 1) != 0) {
            return new MalformedHexException("Odd number of digits");
        }
        for (int i = 0; i < utf8.length; i++) {
            int c = utf8[i] & 0xff;
            if (c >= 128 || DIGITS[c] < 0) {
                return new MalformedHexException("Invalid character " + quoted(c) + " at position " + i);
            }
        }
        throw new IllegalStateException("well-formed hex reported as malformed");
    }

    private static String quoted(int c) {
        return switch (c) {
            case '\t' -> "'\\t'";
            case '\n' -> "'\\n'";
            case '\r' -> "'\\r'";
            case '\'' -> "'\\''";
            case '\\' -> "'\\\\'";
            case 0 -> "'\\0'";
            default ->
                c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad
                        ? "'\\u{" + Integer.toHexString(c) + "}'"
                        : "'" + (char) c + "'";
        };
    }
}
