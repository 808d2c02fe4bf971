package org.prismpool.templates.chain;

import java.math.BigInteger;
import java.util.Locale;

/**
 * A proof-of-work threshold from 1 to 2^256 - 1: a hash passes when it is not above it, so a larger target is easier.
 */
public final class Target implements Comparable<Target> {

    /** The largest target, 2^256 - 1. */
    public static final Target MAX = new Target(BigInteger.ONE.shiftLeft(256).subtract(BigInteger.ONE));

    /** The target of difficulty 1: {@code 0xffff * 2^208}. */
    public static final Target DIFFICULTY_ONE =
            new Target(BigInteger.valueOf(0xffff).shiftLeft(208));

    private final BigInteger value;
    // The same number in four words, most significant first: the pass test of every share allocates nothing.
    private final long word3;
    private final long word2;
    private final long word1;
    private final long word0;

    private Target(BigInteger value) {
        if (value.signum() <= 0 || value.bitLength() > 256) {
            throw new IllegalArgumentException("a target lies between 1 and 2^256 - 1");
        }
        this.value = value;
        this.word3 = value.shiftRight(192).longValue();
        this.word2 = value.shiftRight(128).longValue();
        this.word1 = value.shiftRight(64).longValue();
        this.word0 = value.longValue();
    }

    /**
     * Creates a target.
     *
     * @param value 1 to 2^256 - 1
     * @return the target
     * @throws IllegalArgumentException if out of range
     */
    public static Target of(BigInteger value) {
        return new Target(value);
    }

    /**
     * Creates a target from any number, moved into the valid range.
     *
     * @param value any number
     * @return the nearest target
     */
    public static Target clamped(BigInteger value) {
        if (value.signum() <= 0) {
            return new Target(BigInteger.ONE);
        }
        return value.bitLength() > 256 ? MAX : new Target(value);
    }

    /**
     * Reads a target from hexadecimal, most significant digit first.
     *
     * @param hex 1 to 64 digits
     * @return the target
     * @throws IllegalArgumentException if malformed or out of range
     */
    public static Target ofHex(String hex) {
        if (hex.isEmpty() || hex.length() > 64) {
            throw new IllegalArgumentException("a target has 1 to 64 hex digits, got " + hex.length());
        }
        String even = (hex.length() & 1) == 0 ? hex : "0" + hex;
        return new Target(new BigInteger(1, Hex.decode(even)));
    }

    /**
     * Returns the threshold as a number.
     *
     * @return 1 to 2^256 - 1
     */
    public BigInteger value() {
        return value;
    }

    /**
     * Tells whether a hash passes; equality passes.
     *
     * @param hash hash of a header
     * @return true if the hash as a number is not above this target
     */
    public boolean isMetBy(Hash256 hash) {
        return passes(hash.word(3), hash.word(2), hash.word(1), hash.word(0));
    }

    /**
     * Tells whether a hash passes; equality passes. Allocates nothing.
     *
     * @param internal at least 32 bytes, the hash in internal order from index 0
     * @return true if the hash as a number is not above this target
     */
    public boolean isMetBy(byte[] internal) {
        return passes(
                Hash256.wordOf(internal, 3),
                Hash256.wordOf(internal, 2),
                Hash256.wordOf(internal, 1),
                Hash256.wordOf(internal, 0));
    }

    private boolean passes(long hash3, long hash2, long hash1, long hash0) {
        if (hash3 != word3) {
            return Long.compareUnsigned(hash3, word3) < 0;
        }
        if (hash2 != word2) {
            return Long.compareUnsigned(hash2, word2) < 0;
        }
        if (hash1 != word1) {
            return Long.compareUnsigned(hash1, word1) < 0;
        }
        return Long.compareUnsigned(hash0, word0) <= 0;
    }

    /**
     * Returns the easier of two targets.
     *
     * @param other target to compare with
     * @return the larger one
     */
    public Target easier(Target other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /**
     * Returns the harder of two targets.
     *
     * @param other target to compare with
     * @return the smaller one
     */
    public Target harder(Target other) {
        return compareTo(other) <= 0 ? this : other;
    }

    /**
     * Returns the expected number of hashes for one that passes.
     *
     * @return {@code floor(2^256 / (target + 1))}, the work of a block
     */
    public BigInteger work() {
        return BigInteger.ONE.shiftLeft(256).divide(value.add(BigInteger.ONE));
    }

    /**
     * Returns the threshold in hexadecimal, most significant digit first.
     *
     * @return 64 lower-case digits
     */
    public String hex() {
        String digits = value.toString(16).toLowerCase(Locale.ROOT);
        return "0".repeat(64 - digits.length()) + digits;
    }

    @Override
    public int compareTo(Target other) {
        return value.compareTo(other.value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Target target && value.equals(target.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return hex();
    }
}
