package org.prismpool.templates.job;

import java.util.Arrays;
import org.prismpool.templates.chain.BlockHeader;
import org.prismpool.templates.chain.ByteWriter;
import org.prismpool.templates.chain.CompactSize;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Sha256d;
import org.prismpool.templates.chain.Target;
import org.prismpool.templates.chain.Transaction;

/**
 * Assembles and hashes the header of every submission, and the whole block of the few that solve one.
 *
 * <p>Confined to one thread, to be kept and used again: {@link #assemble} allocates nothing once its buffer has grown to
 * the size of the coinbase.
 */
public final class BlockAssembler {

    private static final int TIME_OFFSET = 68;
    private static final int BITS_OFFSET = 72;
    private static final int NONCE_OFFSET = 76;

    private final Sha256d.Hasher hasher = new Sha256d.Hasher();
    private final byte[] header = new byte[BlockHeader.SIZE];
    private final byte[] node = new byte[Hash256.SIZE];
    private final byte[] pair = new byte[2 * Hash256.SIZE];
    private final byte[] hash = new byte[Hash256.SIZE];
    private byte[] coinbase = new byte[1024];

    /** Creates an assembler. */
    public BlockAssembler() {}

    /**
     * Assembles and hashes a header; its results stay readable until the next call.
     *
     * @param work work of the job
     * @param extranonce1 4 bytes, as stamped in the job
     * @param extranonce2 bytes of the agreed size
     * @param version version after rolling
     * @param ntime seconds since 1970, 0 to 2^32 - 1
     * @param nonce 0 to 2^32 - 1
     * @throws IllegalArgumentException if an extranonce has another size
     */
    public void assemble(
            WorkTemplate work, byte[] extranonce1, byte[] extranonce2, int version, long ntime, long nonce) {
        int size = work.coinbase().strippedSize();
        if (coinbase.length < size) {
            coinbase = new byte[size + size / 4];
        }
        int length = work.coinbase().writeStripped(extranonce1, extranonce2, coinbase);
        hasher.digest(coinbase, 0, length, node);
        work.branch().fold(hasher, node, pair);
        writeInt(version, 0);
        work.parent().copyInternalTo(header, Integer.BYTES);
        System.arraycopy(node, 0, header, BlockHeader.MERKLE_ROOT_OFFSET, Hash256.SIZE);
        writeInt((int) ntime, TIME_OFFSET);
        writeInt(work.terms().bits().bits(), BITS_OFFSET);
        writeInt((int) nonce, NONCE_OFFSET);
        hasher.digest(header, 0, header.length, hash);
    }

    private void writeInt(int value, int offset) {
        header[offset] = (byte) value;
        header[offset + 1] = (byte) (value >>> 8);
        header[offset + 2] = (byte) (value >>> 16);
        header[offset + 3] = (byte) (value >>> 24);
    }

    /**
     * Tells whether the last header passes a target.
     *
     * @param target share or network target
     * @return true if its hash is not above the target
     */
    public boolean meets(Target target) {
        return target.isMetBy(hash);
    }

    /**
     * Returns the hash of the last header.
     *
     * @return a fresh value
     */
    public Hash256 hash() {
        return Hash256.ofInternal(hash);
    }

    /**
     * Returns the last header.
     *
     * @return a copy of 80 bytes
     */
    public byte[] headerBytes() {
        return header.clone();
    }

    /**
     * Assembles a whole block, for a submission that solves one.
     *
     * @param work work of the job
     * @param extranonce1 4 bytes, as stamped in the job
     * @param extranonce2 bytes of the agreed size
     * @param version version after rolling
     * @param ntime seconds since 1970, 0 to 2^32 - 1
     * @param nonce 0 to 2^32 - 1
     * @return the block
     * @throws IllegalArgumentException if an extranonce has another size
     * @throws IllegalStateException if both serializations of the coinbase disagree
     */
    public AssembledBlock block(
            WorkTemplate work, byte[] extranonce1, byte[] extranonce2, int version, long ntime, long nonce) {
        assemble(work, extranonce1, extranonce2, version, ntime, nonce);
        byte[] full = work.coinbase().full(extranonce1, extranonce2);
        requireSameCoinbase(full, work.coinbase().strippedSize());
        TransactionSet transactions = work.transactions();
        int count = transactions.count() + 1;
        int size = BlockHeader.SIZE + CompactSize.sizeOf(count) + full.length + transactions.serializedSize();
        ByteWriter block = new ByteWriter(size).bytes(header).compactSize(count).bytes(full);
        transactions.writeTo(block);
        return new AssembledBlock(hash(), work.parent(), work.height(), block.toByteArray(), full);
    }

    /** The node hashes the full form itself: a difference would turn a solved block into an invalid one. */
    private void requireSameCoinbase(byte[] full, int strippedSize) {
        byte[] stripped = Transaction.parse(full, hasher).strippedBytes();
        if (!Arrays.equals(stripped, 0, stripped.length, coinbase, 0, strippedSize)) {
            throw new IllegalStateException("the two serializations of the coinbase disagree");
        }
    }
}
