package org.prismpool.templates.chain;

import java.util.Arrays;
import java.util.Objects;

/**
 * Reads serialized chain data, little endian, from an array that it does not copy. Confined to one thread.
 *
 * <p>Every method throws {@link MalformedBytesException} when the data ends early.
 */
public final class ByteReader {

    private final byte[] bytes;
    private final int end;
    private int position;

    /**
     * Reads a whole array.
     *
     * @param bytes data; must not change while it is read
     */
    public ByteReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    /**
     * Reads a range of an array.
     *
     * @param bytes data; must not change while it is read
     * @param offset first byte
     * @param length number of bytes
     */
    public ByteReader(byte[] bytes, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        this.bytes = bytes;
        this.position = offset;
        this.end = offset + length;
    }

    /**
     * Returns the index of the next byte in the array.
     *
     * @return an absolute index
     */
    public int position() {
        return position;
    }

    /**
     * Returns the number of bytes left.
     *
     * @return zero at the end
     */
    public int remaining() {
        return end - position;
    }

    /**
     * Reads one byte.
     *
     * @return 0 to 255
     */
    public int u8() {
        require(1);
        return bytes[position++] & 0xff;
    }

    /**
     * Reads 16 bits.
     *
     * @return 0 to 65535
     */
    public int u16() {
        return u8() | (u8() << 8);
    }

    /**
     * Reads a signed 32-bit number.
     *
     * @return the number
     */
    public int i32() {
        require(4);
        int value = (bytes[position] & 0xff)
                | ((bytes[position + 1] & 0xff) << 8)
                | ((bytes[position + 2] & 0xff) << 16)
                | ((bytes[position + 3] & 0xff) << 24);
        position += 4;
        return value;
    }

    /**
     * Reads an unsigned 32-bit number.
     *
     * @return 0 to 2^32 - 1
     */
    public long u32() {
        return i32() & 0xffffffffL;
    }

    /**
     * Reads a signed 64-bit number.
     *
     * @return the number
     */
    public long i64() {
        long low = u32();
        return low | (u32() << 32);
    }

    /**
     * Reads a count in its shortest form.
     *
     * @return zero or more
     * @throws MalformedBytesException also for a longer form than needed and for counts above 2^63 - 1
     */
    public long compactSize() {
        int first = u8();
        if (first < 0xfd) {
            return first;
        }
        long value = first == 0xfd ? u16() : first == 0xfe ? u32() : i64();
        if (value < 0) {
            throw new MalformedBytesException("count out of range");
        }
        int size = first == 0xfd ? 3 : first == 0xfe ? 5 : 9;
        if (CompactSize.sizeOf(value) != size) {
            throw new MalformedBytesException("count not in its shortest form");
        }
        return value;
    }

    /**
     * Reads the count of things that follow, each at least some bytes long.
     *
     * @param minimumSize smallest serialized size of one thing, 1 or more
     * @return a count that the rest of the data can hold
     */
    public int count(int minimumSize) {
        long count = compactSize();
        if (count > remaining() / minimumSize) {
            throw new MalformedBytesException("count exceeds the data that follows");
        }
        return (int) count;
    }

    /**
     * Reads bytes.
     *
     * @param length number of bytes, zero or more
     * @return a copy
     */
    public byte[] bytes(int length) {
        skip(length);
        return Arrays.copyOfRange(bytes, position - length, position);
    }

    /**
     * Reads a byte string with its length in front.
     *
     * @return a copy
     */
    public byte[] prefixedBytes() {
        return bytes(count(1));
    }

    /**
     * Reads a hash in internal order.
     *
     * @return the hash
     */
    public Hash256 hash() {
        skip(Hash256.SIZE);
        return Hash256.ofInternal(bytes, position - Hash256.SIZE);
    }

    /**
     * Passes over bytes.
     *
     * @param length number of bytes, zero or more
     */
    public void skip(int length) {
        require(length);
        position += length;
    }

    /** Passes over a byte string with its length in front. */
    public void skipPrefixedBytes() {
        skip(count(1));
    }

    /**
     * Checks that nothing is left.
     *
     * @throws MalformedBytesException if bytes are left
     */
    public void requireEnd() {
        if (position != end) {
            throw new MalformedBytesException(remaining() + " bytes left over");
        }
    }

    private void require(int length) {
        if (length < 0 || length > end - position) {
            throw new MalformedBytesException("data ends early");
        }
    }
}
