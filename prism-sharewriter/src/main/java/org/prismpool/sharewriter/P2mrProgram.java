package org.prismpool.sharewriter;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;

/** A 32-byte pay-to-merkle-root witness program, the identity by which balances are kept. Immutable. */
public final class P2mrProgram implements Comparable<P2mrProgram> {

    /** Length of a program in bytes. */
    public static final int LENGTH = 32;

    private final byte[] bytes;

    private P2mrProgram(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("a p2mr program has 32 bytes, not " + bytes.length);
        }
        this.bytes = bytes;
    }

    /**
     * Creates a program from its bytes.
     *
     * @param bytes 32 bytes, copied
     * @return the program
     * @throws IllegalArgumentException for another length
     */
    public static P2mrProgram of(byte[] bytes) {
        return new P2mrProgram(bytes.clone());
    }

    /**
     * Creates a program from hex.
     *
     * @param hex 64 hex digits, either case
     * @return the program
     * @throws IllegalArgumentException for anything else
     */
    public static P2mrProgram ofHex(String hex) {
        return new P2mrProgram(HexFormat.of().parseHex(hex.toLowerCase(Locale.ROOT)));
    }

    /**
     * Returns the bytes.
     *
     * @return a copy
     */
    public byte[] bytes() {
        return bytes.clone();
    }

    /**
     * Returns the program as text.
     *
     * @return 64 lower-case hex digits
     */
    public String hex() {
        return HexFormat.of().formatHex(bytes);
    }

    @Override
    public int compareTo(P2mrProgram other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof P2mrProgram program && Arrays.equals(bytes, program.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return hex();
    }
}
