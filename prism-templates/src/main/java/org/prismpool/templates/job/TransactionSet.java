package org.prismpool.templates.job;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.prismpool.templates.chain.ByteWriter;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.MerkleBranch;
import org.prismpool.templates.chain.Sha256d;
import org.prismpool.templates.chain.Transaction;

/**
 * The transactions of one template, without a coinbase: their bytes, ids and merkle branch, computed once.
 *
 * <p>Immutable and thread-safe. Everything that is derived from one template shares one instance by reference, so a
 * template with thousands of transactions is held and hashed once.
 */
public final class TransactionSet {

    /** No transactions. */
    public static final TransactionSet EMPTY = of(List.of());

    private final byte[] serialized; // all transactions one after the other; never handed out without a copy
    private final int[] ends; // end offset of each transaction in serialized
    private final List<Hash256> txids;
    private final List<Hash256> wtxids;
    private final MerkleBranch branch;
    private final Hash256 witnessRoot;

    private TransactionSet(byte[] serialized, int[] ends, List<Hash256> txids, List<Hash256> wtxids) {
        this.serialized = serialized;
        this.ends = ends;
        this.txids = List.copyOf(txids);
        this.wtxids = List.copyOf(wtxids);
        this.branch = MerkleBranch.ofLeafZero(this.txids);
        this.witnessRoot = WitnessCommitment.root(this.wtxids);
    }

    /**
     * Collects transactions.
     *
     * @param transactions in block order, without a coinbase
     * @return the set
     */
    public static TransactionSet of(List<Transaction> transactions) {
        int size = transactions.stream().mapToInt(Transaction::size).sum();
        byte[] serialized = new byte[size];
        int[] ends = new int[transactions.size()];
        List<Hash256> txids = new ArrayList<>(ends.length);
        List<Hash256> wtxids = new ArrayList<>(ends.length);
        int end = 0;
        for (int i = 0; i < ends.length; i++) {
            Transaction transaction = transactions.get(i);
            end = transaction.copyTo(serialized, end);
            ends[i] = end;
            txids.add(transaction.txid());
            wtxids.add(transaction.wtxid());
        }
        return new TransactionSet(serialized, ends, txids, wtxids);
    }

    /**
     * Returns the number of transactions.
     *
     * @return zero or more
     */
    public int count() {
        return ends.length;
    }

    /**
     * Returns the size of all transactions with witness, which on this chain is also their weight.
     *
     * @return bytes
     */
    public int serializedSize() {
        return serialized.length;
    }

    /**
     * Returns the transaction ids.
     *
     * @return in block order
     */
    public List<Hash256> txids() {
        return txids;
    }

    /**
     * Returns the ids with witness, which are the leaves of the witness commitment after the coinbase's zero.
     *
     * @return in block order
     */
    public List<Hash256> wtxids() {
        return wtxids;
    }

    /**
     * Returns the merkle branch of the coinbase.
     *
     * @return siblings bottom-up
     */
    public MerkleBranch branch() {
        return branch;
    }

    /**
     * Returns the root of the witness commitment.
     *
     * @return root over zero and the witness ids; it identifies this set
     */
    public Hash256 witnessRoot() {
        return witnessRoot;
    }

    /**
     * Reads one transaction.
     *
     * @param index 0 to {@code count() - 1}
     * @return the transaction, parsed anew
     */
    public Transaction transaction(int index) {
        int start = index == 0 ? 0 : ends[index - 1];
        return Transaction.parse(Arrays.copyOfRange(serialized, start, ends[index]));
    }

    /**
     * Returns the leading transactions.
     *
     * @param count 0 to {@code count()}
     * @return a set of that many transactions; this set if none is dropped
     */
    public TransactionSet first(int count) {
        if (count == ends.length) {
            return this;
        }
        int size = count == 0 ? 0 : ends[count - 1];
        return new TransactionSet(
                Arrays.copyOf(serialized, size),
                Arrays.copyOf(ends, count),
                txids.subList(0, count),
                wtxids.subList(0, count));
    }

    /**
     * Returns the size of the leading transactions.
     *
     * @param count 0 to {@code count()}
     * @return bytes
     */
    public int sizeOfFirst(int count) {
        return count == 0 ? 0 : ends[count - 1];
    }

    /** Appends all transactions. */
    void writeTo(ByteWriter writer) {
        writer.bytes(serialized);
    }

    /** Collects transactions one by one, for parsing a template without a list of all of them. Confined to one thread. */
    public static final class Builder {

        private final Sha256d.Hasher hasher = new Sha256d.Hasher();
        private final ByteWriter serialized;
        private final List<Hash256> txids = new ArrayList<>();
        private final List<Hash256> wtxids = new ArrayList<>();
        private int[] ends = new int[64];

        /**
         * Creates a builder.
         *
         * @param expectedSize expected bytes of all transactions
         */
        public Builder(int expectedSize) {
            serialized = new ByteWriter(expectedSize);
        }

        /**
         * Adds one transaction.
         *
         * @param raw its serialization; kept by copy
         * @return this builder
         * @throws org.prismpool.templates.chain.MalformedBytesException if this is not exactly one transaction
         */
        public Builder add(byte[] raw) {
            Transaction transaction = Transaction.parse(raw, hasher);
            int index = txids.size();
            if (index == ends.length) {
                ends = Arrays.copyOf(ends, ends.length * 2);
            }
            serialized.bytes(raw);
            ends[index] = serialized.size();
            txids.add(transaction.txid());
            wtxids.add(transaction.wtxid());
            return this;
        }

        /**
         * Ends the collection.
         *
         * @return the set
         */
        public TransactionSet build() {
            return new TransactionSet(serialized.toByteArray(), Arrays.copyOf(ends, txids.size()), txids, wtxids);
        }
    }
}
