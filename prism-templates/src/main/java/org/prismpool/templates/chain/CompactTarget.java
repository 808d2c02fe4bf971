package org.prismpool.templates.chain;

import java.math.BigInteger;

/**
 * A target in the compact form of a header ({@code nBits}).
 *
 * <p>Fails closed like the node: a set sign bit, an overflow above 256 bits and a target of zero are refused
 * (spec 03 §1.2).
 *
 * @param bits the 32 bits: size in the top byte, mantissa in the low 23 bits
 * @param target the expanded threshold
 */
public record CompactTarget(int bits, Target target) {

    /** Expands the bits again, so that an inconsistent pair can't exist. */
    public CompactTarget {
        if (!expand(bits).equals(target)) {
            throw new IllegalArgumentException("target does not belong to bits " + hex(bits));
        }
    }

    /**
     * Expands compact bits.
     *
     * @param bits the header field
     * @return the compact target
     * @throws IllegalArgumentException for a negative, overflowing or zero target
     */
    public static CompactTarget ofBits(int bits) {
        return new CompactTarget(bits, expand(bits));
    }

    /**
     * Reads the eight hex digits of a template or a notification.
     *
     * @param hex exactly eight digits, most significant first
     * @return the compact target
     * @throws IllegalArgumentException if malformed, negative, overflowing or zero
     */
    public static CompactTarget ofHex(String hex) {
        byte[] bytes = Hex.decode(hex, Integer.BYTES);
        return ofBits(new BigInteger(1, bytes).intValue());
    }

    /**
     * Compresses a target; digits beyond the mantissa are cut off, so the result is at most as easy.
     *
     * @param target threshold
     * @return its canonical compact form
     */
    public static CompactTarget ofTarget(Target target) {
        int size = (target.value().bitLength() + 7) / 8;
        int mantissa = size <= 3
                ? target.value().intValue() << (8 * (3 - size))
                : target.value().shiftRight(8 * (size - 3)).intValue();
        if ((mantissa & 0x00800000) != 0) {
            mantissa >>>= 8;
            size++;
        }
        return ofBits((size << 24) | mantissa);
    }

    /**
     * Returns the bits as a header shows them.
     *
     * @return eight lower-case hex digits, most significant first
     */
    public String hex() {
        return hex(bits);
    }

    @Override
    public String toString() {
        return hex();
    }

    private static Target expand(int bits) {
        int size = bits >>> 24;
        int mantissa = bits & 0x007fffff;
        if (size <= 3) {
            mantissa >>>= (8 * (3 - size));
        }
        if (mantissa == 0) {
            throw new IllegalArgumentException("compact target is zero: " + hex(bits));
        }
        if ((bits & 0x00800000) != 0) {
            throw new IllegalArgumentException("compact target is negative: " + hex(bits));
        }
        if (size > 34 || (mantissa > 0xff && size > 33) || (mantissa > 0xffff && size > 32)) {
            throw new IllegalArgumentException("compact target overflows 256 bits: " + hex(bits));
        }
        BigInteger value = BigInteger.valueOf(mantissa);
        return Target.of(size <= 3 ? value : value.shiftLeft(8 * (size - 3)));
    }

    private static String hex(int bits) {
        String digits = Integer.toHexString(bits);
        return "0".repeat(8 - digits.length()) + digits;
    }
}
