package org.prismpool.templates.chain;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Bech32 and bech32m text (BIP173, BIP350): prefix, separator, five-bit values, checksum of six values. */
final class Bech32m {

    static final int BECH32 = 1;
    static final int BECH32M = 0x2bc830a3;

    private static final String ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    private static final int[] GENERATOR = {0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3};
    private static final int CHECKSUM_LENGTH = 6;
    private static final int MAX_LENGTH = 90;

    private Bech32m() {}

    /** A decoded text: its prefix in lower case, the values before the checksum, and the checksum constant. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, stays in this package
    record Decoded(String hrp, byte[] values, int constant) {}

    static String encode(String hrp, byte[] values) {
        byte[] padded = Arrays.copyOf(values, values.length + CHECKSUM_LENGTH);
        int checksum = polymod(hrp, padded) ^ BECH32M;
        StringBuilder text = new StringBuilder(hrp).append('1');
        for (byte value : values) {
            text.append(ALPHABET.charAt(value));
        }
        for (int i = 0; i < CHECKSUM_LENGTH; i++) {
            text.append(ALPHABET.charAt((checksum >>> (5 * (5 - i))) & 31));
        }
        return text.toString();
    }

    static Optional<Decoded> decode(String text) {
        int separator = text.lastIndexOf('1');
        if (text.length() > MAX_LENGTH || separator < 1 || separator + 1 + CHECKSUM_LENGTH > text.length()) {
            return Optional.empty();
        }
        if (!isPrintable(text)) {
            return Optional.empty();
        }
        String lower = text.toLowerCase(Locale.ROOT);
        if (!text.equals(lower) && !text.equals(text.toUpperCase(Locale.ROOT))) {
            return Optional.empty();
        }
        String hrp = lower.substring(0, separator);
        byte[] values = new byte[lower.length() - separator - 1];
        for (int i = 0; i < values.length; i++) {
            int value = ALPHABET.indexOf(lower.charAt(separator + 1 + i));
            if (value < 0) {
                return Optional.empty();
            }
            values[i] = (byte) value;
        }
        int constant = polymod(hrp, values);
        if (constant != BECH32 && constant != BECH32M) {
            return Optional.empty();
        }
        return Optional.of(new Decoded(hrp, Arrays.copyOf(values, values.length - CHECKSUM_LENGTH), constant));
    }

    /** Splits bytes into five-bit values, zero bits at the end. */
    static byte[] toFiveBits(byte[] bytes) {
        byte[] values = new byte[(bytes.length * 8 + 4) / 5];
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            int set = (bytes[bit / 8] >> (7 - bit % 8)) & 1;
            values[bit / 5] |= (byte) (set << (4 - bit % 5));
        }
        return values;
    }

    /** Joins five-bit values into bytes; empty unless the padding is shorter than five bits and zero. */
    static Optional<byte[]> toBytes(byte[] values, int offset) {
        int bits = (values.length - offset) * 5;
        byte[] bytes = new byte[bits / 8];
        if (bits % 8 >= 5) {
            return Optional.empty();
        }
        for (int bit = 0; bit < bits; bit++) {
            int set = (values[offset + bit / 5] >> (4 - bit % 5)) & 1;
            if (bit / 8 < bytes.length) {
                bytes[bit / 8] |= (byte) (set << (7 - bit % 8));
            } else if (set != 0) {
                return Optional.empty();
            }
        }
        return Optional.of(bytes);
    }

    private static boolean isPrintable(String text) {
        return text.chars().allMatch(c -> c > 32 && c < 127);
    }

    private static int polymod(String hrp, byte[] values) {
        int checksum = 1;
        for (int i = 0; i < hrp.length(); i++) {
            checksum = step(checksum, hrp.charAt(i) >> 5);
        }
        checksum = step(checksum, 0);
        for (int i = 0; i < hrp.length(); i++) {
            checksum = step(checksum, hrp.charAt(i) & 31);
        }
        for (byte value : values) {
            checksum = step(checksum, value);
        }
        return checksum;
    }

    private static int step(int checksum, int value) {
        int top = checksum >>> 25;
        int next = ((checksum & 0x1ffffff) << 5) ^ value;
        for (int i = 0; i < GENERATOR.length; i++) {
            if (((top >>> i) & 1) != 0) {
                next ^= GENERATOR[i];
            }
        }
        return next;
    }
}
