package org.prismpool.templates.chain;

/**
 * The 80 bytes that miners hash.
 *
 * @param version version field, see {@link VersionLayout}
 * @param parent hash of the previous block
 * @param merkleRoot root over the txids
 * @param time seconds since 1970, 0 to 2^32 - 1
 * @param bits compact network target, not checked here: a header as received may carry an invalid one
 * @param nonce 0 to 2^32 - 1
 */
public record BlockHeader(int version, Hash256 parent, Hash256 merkleRoot, long time, int bits, long nonce) {

    /** Serialized size. */
    public static final int SIZE = 80;

    /** Offset of the merkle root. */
    public static final int MERKLE_ROOT_OFFSET = 36;

    /** Checks the ranges. */
    public BlockHeader {
        if (time < 0 || time > 0xffffffffL || nonce < 0 || nonce > 0xffffffffL) {
            throw new IllegalArgumentException("time and nonce are unsigned 32-bit numbers");
        }
    }

    /**
     * Reads a header.
     *
     * @param reader stands at the first of 80 bytes
     * @return the header
     * @throws MalformedBytesException if the data ends early
     */
    public static BlockHeader read(ByteReader reader) {
        return new BlockHeader(reader.i32(), reader.hash(), reader.hash(), reader.u32(), reader.i32(), reader.u32());
    }

    /**
     * Parses exactly one header.
     *
     * @param bytes 80 bytes
     * @return the header
     * @throws MalformedBytesException if the length differs
     */
    public static BlockHeader parse(byte[] bytes) {
        ByteReader reader = new ByteReader(bytes);
        BlockHeader header = read(reader);
        reader.requireEnd();
        return header;
    }

    /**
     * Returns the serialization.
     *
     * @return 80 fresh bytes
     */
    public byte[] bytes() {
        return new ByteWriter(SIZE)
                .i32(version)
                .hash(parent)
                .hash(merkleRoot)
                .u32(time)
                .i32(bits)
                .u32(nonce)
                .toByteArray();
    }

    /**
     * Returns the block hash.
     *
     * @return SHA-256d of the 80 bytes
     */
    public Hash256 hash() {
        return Sha256d.hash(bytes());
    }
}
