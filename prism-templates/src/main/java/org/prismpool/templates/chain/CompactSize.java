package org.prismpool.templates.chain;

/** The chain's variable-length count: 1, 3, 5 or 9 bytes, little endian; only the shortest form is valid. */
public final class CompactSize {

    private CompactSize() {}

    /**
     * Returns the encoded length of a count.
     *
     * @param value zero or more
     * @return 1, 3, 5 or 9
     * @throws IllegalArgumentException if negative
     */
    public static int sizeOf(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("a count is not negative: " + value);
        }
        if (value < 0xfd) {
            return 1;
        }
        if (value <= 0xffff) {
            return 3;
        }
        return value <= 0xffffffffL ? 5 : 9;
    }

    /**
     * Writes a count into an array.
     *
     * @param value zero or more
     * @param out destination
     * @param offset where the count starts
     * @return the offset after the count
     * @throws IllegalArgumentException if negative
     */
    public static int write(long value, byte[] out, int offset) {
        int size = sizeOf(value);
        if (size == 1) {
            out[offset] = (byte) value;
            return offset + 1;
        }
        out[offset] = (byte) (size == 3 ? 0xfd : size == 5 ? 0xfe : 0xff);
        for (int i = 0; i < size - 1; i++) {
            out[offset + 1 + i] = (byte) (value >>> (8 * i));
        }
        return offset + size;
    }
}
