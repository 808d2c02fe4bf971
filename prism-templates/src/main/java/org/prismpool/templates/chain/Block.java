package org.prismpool.templates.chain;

import java.util.ArrayList;
import java.util.List;

/**
 * A whole block as the chain stores it.
 *
 * <p>Merged-mined blocks carry an AuxPoW payload between header and transactions (spec 03 §1.4); it is passed over. The
 * block hash is the hash of the 80-byte header in both cases.
 *
 * @param header the header
 * @param transactions coinbase first
 */
public record Block(BlockHeader header, List<Transaction> transactions) {

    private static final int MINIMUM_TRANSACTION = 10;

    /** Copies the list. */
    public Block {
        transactions = List.copyOf(transactions);
    }

    /**
     * Parses exactly one block.
     *
     * @param bytes serialization
     * @return the block
     * @throws MalformedBytesException if the structure is broken or bytes are left over
     */
    public static Block parse(byte[] bytes) {
        ByteReader reader = new ByteReader(bytes);
        Block block = read(bytes, reader);
        reader.requireEnd();
        return block;
    }

    /**
     * Reads a block and leaves the reader behind it.
     *
     * @param bytes the array that the reader reads
     * @param reader stands at the first byte of the block
     * @return the block
     * @throws MalformedBytesException if the structure is broken
     */
    public static Block read(byte[] bytes, ByteReader reader) {
        BlockHeader header = BlockHeader.read(reader);
        Sha256d.Hasher hasher = new Sha256d.Hasher();
        if (VersionLayout.hasAuxPow(header.version())) {
            skipAuxPow(bytes, reader, hasher);
        }
        int count = reader.count(MINIMUM_TRANSACTION);
        List<Transaction> transactions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            transactions.add(Transaction.read(bytes, reader, hasher));
        }
        return new Block(header, transactions);
    }

    /** Parent coinbase, its branch and index, the chain branch and index, the parent header. */
    private static void skipAuxPow(byte[] bytes, ByteReader reader, Sha256d.Hasher hasher) {
        Transaction unused = Transaction.read(bytes, reader, hasher);
        skipBranch(reader);
        skipBranch(reader);
        reader.skip(BlockHeader.SIZE);
    }

    private static void skipBranch(ByteReader reader) {
        reader.skip(reader.count(Hash256.SIZE) * Hash256.SIZE);
        reader.skip(Integer.BYTES);
    }

    /**
     * Returns the block hash.
     *
     * @return hash of the header
     */
    public Hash256 hash() {
        return header.hash();
    }
}
