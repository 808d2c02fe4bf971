package org.prismpool.templates.chain;

import java.util.Arrays;

/** Writes serialized chain data, little endian, into a buffer that grows. Confined to one thread. */
public final class ByteWriter {

    private byte[] buffer;
    private int size;

    /** Creates an empty writer. */
    public ByteWriter() {
        this(256);
    }

    /**
     * Creates an empty writer with room for a known size.
     *
     * @param capacity expected number of bytes, zero or more
     */
    public ByteWriter(int capacity) {
        buffer = new byte[capacity];
    }

    /**
     * Writes one byte.
     *
     * @param value its low 8 bits are written
     * @return this writer
     */
    public ByteWriter u8(int value) {
        reserve(1);
        buffer[size++] = (byte) value;
        return this;
    }

    /**
     * Writes 32 bits.
     *
     * @param value signed number, or the bits of an unsigned one
     * @return this writer
     */
    public ByteWriter i32(int value) {
        reserve(4);
        for (int i = 0; i < 4; i++) {
            buffer[size++] = (byte) (value >>> (8 * i));
        }
        return this;
    }

    /**
     * Writes an unsigned 32-bit number.
     *
     * @param value 0 to 2^32 - 1
     * @return this writer
     * @throws IllegalArgumentException if out of range
     */
    public ByteWriter u32(long value) {
        if (value < 0 || value > 0xffffffffL) {
            throw new IllegalArgumentException("not an unsigned 32-bit number: " + value);
        }
        return i32((int) value);
    }

    /**
     * Writes 64 bits.
     *
     * @param value signed number
     * @return this writer
     */
    public ByteWriter i64(long value) {
        return i32((int) value).i32((int) (value >>> 32));
    }

    /**
     * Writes a count.
     *
     * @param value zero or more
     * @return this writer
     */
    public ByteWriter compactSize(long value) {
        reserve(9);
        size = CompactSize.write(value, buffer, size);
        return this;
    }

    /**
     * Writes bytes as they are.
     *
     * @param bytes any length
     * @return this writer
     */
    public ByteWriter bytes(byte[] bytes) {
        return bytes(bytes, 0, bytes.length);
    }

    /**
     * Writes a range of bytes as they are.
     *
     * @param bytes source
     * @param offset first byte
     * @param length number of bytes
     * @return this writer
     */
    public ByteWriter bytes(byte[] bytes, int offset, int length) {
        reserve(length);
        System.arraycopy(bytes, offset, buffer, size, length);
        size += length;
        return this;
    }

    /**
     * Writes a byte string with its length in front.
     *
     * @param bytes any length
     * @return this writer
     */
    public ByteWriter prefixedBytes(byte[] bytes) {
        return compactSize(bytes.length).bytes(bytes);
    }

    /**
     * Writes a hash in internal order.
     *
     * @param hash hash to write
     * @return this writer
     */
    public ByteWriter hash(Hash256 hash) {
        reserve(Hash256.SIZE);
        hash.copyInternalTo(buffer, size);
        size += Hash256.SIZE;
        return this;
    }

    /**
     * Returns the number of bytes written.
     *
     * @return zero or more
     */
    public int size() {
        return size;
    }

    /**
     * Returns what was written.
     *
     * @return a copy
     */
    public byte[] toByteArray() {
        return Arrays.copyOf(buffer, size);
    }

    private void reserve(int more) {
        if (buffer.length - size < more) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, size + more));
        }
    }
}
