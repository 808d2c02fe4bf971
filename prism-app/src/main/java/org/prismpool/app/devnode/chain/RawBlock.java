package org.prismpool.app.devnode.chain;

import java.util.List;
import org.prismpool.templates.chain.BlockHeader;
import org.prismpool.templates.chain.ByteWriter;
import org.prismpool.templates.chain.CompactSize;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Transaction;

/** A decoded block: header and transactions, not yet judged. Immutable. */
public final class RawBlock {

    private final BlockHeader header;
    private final List<Transaction> transactions;
    private final Hash256 hash;

    /**
     * Combines header and transactions.
     *
     * @param header the 80 bytes
     * @param transactions in block order; may be empty, which no valid block is
     */
    public RawBlock(BlockHeader header, List<Transaction> transactions) {
        this.header = header;
        this.transactions = List.copyOf(transactions);
        this.hash = header.hash();
    }

    /**
     * Returns the header.
     *
     * @return the header
     */
    public BlockHeader header() {
        return header;
    }

    /**
     * Returns the transactions.
     *
     * @return in block order
     */
    public List<Transaction> transactions() {
        return transactions;
    }

    /**
     * Returns the block hash.
     *
     * @return hash of the header
     */
    public Hash256 hash() {
        return hash;
    }

    /**
     * Returns the coinbase.
     *
     * @return the first transaction
     */
    public Transaction coinbase() {
        return transactions.get(0);
    }

    /**
     * Returns the ids without witness.
     *
     * @return in block order
     */
    public List<Hash256> txids() {
        return transactions.stream().map(Transaction::txid).toList();
    }

    /**
     * Returns the size with witness, which is the weight of the block.
     *
     * @return bytes
     */
    public int size() {
        int total = BlockHeader.SIZE + CompactSize.sizeOf(transactions.size());
        for (Transaction transaction : transactions) {
            total += transaction.size();
        }
        return total;
    }

    /**
     * Returns the size without witness.
     *
     * @return bytes
     */
    public int strippedSize() {
        int total = BlockHeader.SIZE + CompactSize.sizeOf(transactions.size());
        for (Transaction transaction : transactions) {
            total += transaction.hasWitness() ? transaction.strippedBytes().length : transaction.size();
        }
        return total;
    }

    /**
     * Returns the serialization with witness.
     *
     * @return a fresh array
     */
    public byte[] bytes() {
        ByteWriter writer = new ByteWriter(size());
        writer.bytes(header.bytes()).compactSize(transactions.size());
        for (Transaction transaction : transactions) {
            writer.bytes(transaction.bytes());
        }
        return writer.toByteArray();
    }
}
