package org.prismpool.templates.chain;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * A 32-byte hash: block, transaction or merkle node.
 *
 * <p>Holds the bytes in internal order. Ordered as the unsigned 256-bit integer that proof of work compares, which
 * reads the internal bytes as little endian.
 */
public final class Hash256 implements Comparable<Hash256> {

    /** Number of bytes. */
    public static final int SIZE = 32;

    /** Thirty-two zero bytes: parent of a genesis block, outpoint of a coinbase. */
    public static final Hash256 ZERO = new Hash256(new byte[SIZE]);

    private static final VarHandle LONG_LE =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] internal;

    private Hash256(byte[] internal) {
        this.internal = internal;
    }

    /**
     * Copies a hash in internal order.
     *
     * @param bytes exactly 32 bytes
     * @return the hash
     * @throws IllegalArgumentException if the length differs
     */
    public static Hash256 ofInternal(byte[] bytes) {
        if (bytes.length != SIZE) {
            throw new IllegalArgumentException("a hash has 32 bytes, got " + bytes.length);
        }
        return new Hash256(bytes.clone());
    }

    /**
     * Copies a hash in internal order out of a larger array.
     *
     * @param bytes source
     * @param offset first of the 32 bytes
     * @return the hash
     * @throws IndexOutOfBoundsException if fewer than 32 bytes follow
     */
    public static Hash256 ofInternal(byte[] bytes, int offset) {
        Objects.checkFromIndexSize(offset, SIZE, bytes.length);
        return new Hash256(Arrays.copyOfRange(bytes, offset, offset + SIZE));
    }

    /** Wraps a fresh array without a copy; the caller gives it away. */
    static Hash256 wrap(byte[] fresh) {
        return new Hash256(fresh);
    }

    /**
     * Reads 64 hex digits in internal order.
     *
     * @param hex digits of either case
     * @return the hash
     * @throws IllegalArgumentException if this is not 64 hex digits
     */
    public static Hash256 ofInternalHex(CharSequence hex) {
        return new Hash256(Hex.decode(hex, SIZE));
    }

    /**
     * Reads 64 hex digits in display order, as RPC answers carry them.
     *
     * @param hex digits of either case
     * @return the hash
     * @throws IllegalArgumentException if this is not 64 hex digits
     */
    public static Hash256 ofDisplayHex(CharSequence hex) {
        return new Hash256(reversed(Hex.decode(hex, SIZE)));
    }

    /**
     * Returns the bytes in internal order.
     *
     * @return a copy
     */
    public byte[] internalBytes() {
        return internal.clone();
    }

    /**
     * Copies the bytes in internal order into an array.
     *
     * @param target destination
     * @param offset where the 32 bytes start
     */
    public void copyInternalTo(byte[] target, int offset) {
        System.arraycopy(internal, 0, target, offset, SIZE);
    }

    /**
     * Returns the internal order as text.
     *
     * @return 64 lower-case hex digits
     */
    public String internalHex() {
        return Hex.encode(internal);
    }

    /**
     * Returns the display order as text.
     *
     * @return 64 lower-case hex digits
     */
    public String displayHex() {
        return Hex.encode(reversed(internal));
    }

    /**
     * Returns the number that proof of work compares with a target.
     *
     * @return 0 to 2^256 - 1: the internal bytes read as little endian
     */
    public BigInteger toUnsignedInteger() {
        return new BigInteger(1, reversed(internal));
    }

    /**
     * Returns 64 bits of the number.
     *
     * @param index 0 for the least significant to 3 for the most significant word
     */
    long word(int index) {
        return wordOf(internal, index);
    }

    static long wordOf(byte[] internal, int index) {
        return (long) LONG_LE.get(internal, index * Long.BYTES);
    }

    private static byte[] reversed(byte[] bytes) {
        byte[] reversed = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            reversed[i] = bytes[bytes.length - 1 - i];
        }
        return reversed;
    }

    @Override
    public int compareTo(Hash256 other) {
        for (int i = 3; i >= 0; i--) {
            int order = Long.compareUnsigned(word(i), other.word(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Hash256 hash && Arrays.equals(internal, hash.internal);
    }

    @Override
    public int hashCode() {
        // The low word of a block hash is uniformly spread; the high one is mostly zero.
        return Long.hashCode(word(0));
    }

    /** Returns the display order. */
    @Override
    public String toString() {
        return displayHex();
    }
}
