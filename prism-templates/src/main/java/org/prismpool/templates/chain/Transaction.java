package org.prismpool.templates.chain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A transaction in its serialized form (BIP144), with both of its ids.
 *
 * <p>Parsing checks the structure and computes the ids without building objects for inputs and outputs, which are read
 * when asked for: a template carries thousands of transactions of which only the ids and the bytes are needed.
 */
public final class Transaction {

    private static final int MINIMUM_INPUT = 41;
    private static final int MINIMUM_OUTPUT = 9;
    private static final int VERSION_SIZE = 4;
    private static final int LOCK_TIME_SIZE = 4;
    private static final int MARKER_AND_FLAG_SIZE = 2;

    private final byte[] raw; // full form; never handed out without a copy
    private final boolean hasWitness;
    private final int bodyEnd; // after the outputs
    private final Hash256 txid;
    private final Hash256 wtxid;

    private Transaction(byte[] raw, boolean hasWitness, int bodyEnd, Sha256d.Hasher hasher) {
        this.raw = raw;
        this.hasWitness = hasWitness;
        this.bodyEnd = bodyEnd;
        byte[] id = new byte[Hash256.SIZE];
        hasher.digest(raw, 0, raw.length, id);
        this.wtxid = Hash256.wrap(id);
        this.txid = hasWitness ? strippedHash(hasher) : wtxid;
    }

    /**
     * Parses exactly one transaction.
     *
     * @param bytes full or stripped serialization; copied
     * @return the transaction
     * @throws MalformedBytesException if the structure is broken or bytes are left over
     */
    public static Transaction parse(byte[] bytes) {
        return parse(bytes, new Sha256d.Hasher());
    }

    /**
     * Parses exactly one transaction with a hasher of the caller, for loops over many.
     *
     * @param bytes full or stripped serialization; copied
     * @param hasher used on this thread only
     * @return the transaction
     * @throws MalformedBytesException if the structure is broken or bytes are left over
     */
    public static Transaction parse(byte[] bytes, Sha256d.Hasher hasher) {
        ByteReader reader = new ByteReader(bytes);
        Transaction transaction = read(bytes, reader, hasher);
        reader.requireEnd();
        return transaction;
    }

    /**
     * Parses the hex text of exactly one transaction.
     *
     * @param hex full or stripped serialization
     * @return the transaction
     * @throws IllegalArgumentException if this is not hex or not one transaction
     */
    public static Transaction parseHex(CharSequence hex) {
        byte[] bytes = Hex.decode(hex);
        return parse(bytes);
    }

    /**
     * Reads the next transaction of a longer serialization and leaves the reader behind it.
     *
     * @param bytes the array that the reader reads; the transaction's part is copied
     * @param reader stands at the first byte of the transaction
     * @param hasher used on this thread only
     * @return the transaction
     * @throws MalformedBytesException if the structure is broken
     */
    public static Transaction read(byte[] bytes, ByteReader reader, Sha256d.Hasher hasher) {
        int start = reader.position();
        reader.skip(VERSION_SIZE);
        int inputs = inputCount(reader);
        boolean witness = inputs == 0;
        if (witness) {
            // A zero input count is the BIP144 marker; a transaction without inputs does not exist on the chain.
            if (reader.u8() != 1) {
                throw new MalformedBytesException("unknown transaction flag");
            }
            inputs = inputCount(reader);
            if (inputs == 0) {
                throw new MalformedBytesException("transaction without inputs");
            }
        }
        skipBody(reader, inputs);
        int bodyEnd = reader.position() - start;
        if (witness) {
            skipWitness(reader, inputs);
        }
        reader.skip(LOCK_TIME_SIZE);
        byte[] raw = Arrays.copyOfRange(bytes, start, reader.position());
        return new Transaction(raw, witness, bodyEnd, hasher);
    }

    /**
     * Serializes a transaction; the full form is used when an input has a witness.
     *
     * @param version transaction version
     * @param inputs one or more
     * @param outputs one or more
     * @param lockTime 0 to 2^32 - 1
     * @return the transaction
     * @throws IllegalArgumentException if there is no input or no output
     */
    public static Transaction of(
            int version, List<TransactionInput> inputs, List<TransactionOutput> outputs, long lockTime) {
        if (inputs.isEmpty() || outputs.isEmpty()) {
            throw new IllegalArgumentException("a transaction has inputs and outputs");
        }
        boolean witness = inputs.stream().anyMatch(input -> !input.witness().isEmpty());
        ByteWriter writer = new ByteWriter().i32(version);
        if (witness) {
            writer.u8(0).u8(1);
        }
        writer.compactSize(inputs.size());
        for (TransactionInput input : inputs) {
            writer.hash(input.previousTxid())
                    .u32(input.previousIndex())
                    .prefixedBytes(input.scriptSig())
                    .u32(input.sequence());
        }
        writer.compactSize(outputs.size());
        for (TransactionOutput output : outputs) {
            writer.i64(output.valueSats()).prefixedBytes(output.script());
        }
        int bodyEnd = writer.size();
        if (witness) {
            for (TransactionInput input : inputs) {
                List<byte[]> stack = input.witness();
                writer.compactSize(stack.size());
                stack.forEach(writer::prefixedBytes);
            }
        }
        writer.u32(lockTime);
        return new Transaction(writer.toByteArray(), witness, bodyEnd, new Sha256d.Hasher());
    }

    /**
     * Returns the id without witness.
     *
     * @return hash of the stripped serialization
     */
    public Hash256 txid() {
        return txid;
    }

    /**
     * Returns the id with witness.
     *
     * @return hash of the full serialization; equal to the txid without a witness
     */
    public Hash256 wtxid() {
        return wtxid;
    }

    /**
     * Tells whether the serialization carries a witness.
     *
     * @return true for the BIP144 form
     */
    public boolean hasWitness() {
        return hasWitness;
    }

    /**
     * Returns the size of the full form, which on this chain is also the weight.
     *
     * @return bytes
     */
    public int size() {
        return raw.length;
    }

    /**
     * Returns the full serialization.
     *
     * @return a copy
     */
    public byte[] bytes() {
        return raw.clone();
    }

    /**
     * Copies the full serialization into an array, for assembling blocks without a copy in between.
     *
     * @param target destination
     * @param offset where the transaction starts
     * @return the offset after it
     */
    public int copyTo(byte[] target, int offset) {
        System.arraycopy(raw, 0, target, offset, raw.length);
        return offset + raw.length;
    }

    /**
     * Returns the full serialization as text.
     *
     * @return lower-case hex
     */
    public String hex() {
        return Hex.encode(raw);
    }

    /**
     * Returns the serialization without marker, flag and witness.
     *
     * @return a fresh array
     */
    public byte[] strippedBytes() {
        if (!hasWitness) {
            return raw.clone();
        }
        ByteWriter writer = new ByteWriter(bodyEnd + LOCK_TIME_SIZE);
        writer.bytes(raw, 0, VERSION_SIZE);
        writer.bytes(raw, bodyStart(), bodyEnd - bodyStart());
        writer.bytes(raw, raw.length - LOCK_TIME_SIZE, LOCK_TIME_SIZE);
        return writer.toByteArray();
    }

    /**
     * Returns the version.
     *
     * @return signed 32-bit number
     */
    public int version() {
        return new ByteReader(raw).i32();
    }

    /**
     * Returns the lock time.
     *
     * @return 0 to 2^32 - 1
     */
    public long lockTime() {
        return new ByteReader(raw, raw.length - LOCK_TIME_SIZE, LOCK_TIME_SIZE).u32();
    }

    /**
     * Returns the inputs.
     *
     * @return one or more, in order, read from the serialization
     */
    public List<TransactionInput> inputs() {
        ByteReader body = bodyReader();
        ByteReader witness = new ByteReader(raw, bodyEnd, raw.length - bodyEnd);
        int count = body.count(MINIMUM_INPUT);
        List<TransactionInput> inputs = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            inputs.add(new TransactionInput(
                    body.hash(),
                    body.u32(),
                    body.prefixedBytes(),
                    body.u32(),
                    hasWitness ? stack(witness) : List.of()));
        }
        return List.copyOf(inputs);
    }

    /**
     * Returns the outputs.
     *
     * @return in order, read from the serialization
     */
    public List<TransactionOutput> outputs() {
        ByteReader body = bodyReader();
        int inputs = body.count(MINIMUM_INPUT);
        for (int i = 0; i < inputs; i++) {
            skipInput(body);
        }
        int count = body.count(MINIMUM_OUTPUT);
        List<TransactionOutput> outputs = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            outputs.add(new TransactionOutput(body.i64(), body.prefixedBytes()));
        }
        return List.copyOf(outputs);
    }

    /**
     * Tells whether this is a coinbase.
     *
     * @return true if its only input spends the null outpoint
     */
    public boolean isCoinbase() {
        ByteReader body = bodyReader();
        return body.count(MINIMUM_INPUT) == 1
                && body.hash().equals(Hash256.ZERO)
                && body.u32() == TransactionInput.NULL_INDEX;
    }

    private ByteReader bodyReader() {
        return new ByteReader(raw, bodyStart(), bodyEnd - bodyStart());
    }

    private int bodyStart() {
        return hasWitness ? VERSION_SIZE + MARKER_AND_FLAG_SIZE : VERSION_SIZE;
    }

    private Hash256 strippedHash(Sha256d.Hasher hasher) {
        hasher.update(raw, 0, VERSION_SIZE);
        hasher.update(raw, bodyStart(), bodyEnd - bodyStart());
        hasher.update(raw, raw.length - LOCK_TIME_SIZE, LOCK_TIME_SIZE);
        byte[] id = new byte[Hash256.SIZE];
        hasher.finish(id, 0);
        return Hash256.wrap(id);
    }

    private static int inputCount(ByteReader reader) {
        return reader.count(1);
    }

    private static void skipBody(ByteReader reader, int inputs) {
        for (int i = 0; i < inputs; i++) {
            skipInput(reader);
        }
        int outputs = reader.count(MINIMUM_OUTPUT);
        for (int i = 0; i < outputs; i++) {
            reader.skip(Long.BYTES);
            reader.skipPrefixedBytes();
        }
    }

    private static void skipInput(ByteReader reader) {
        reader.skip(Hash256.SIZE + Integer.BYTES);
        reader.skipPrefixedBytes();
        reader.skip(Integer.BYTES);
    }

    private static void skipWitness(ByteReader reader, int inputs) {
        boolean any = false;
        for (int i = 0; i < inputs; i++) {
            int items = reader.count(1);
            any |= items > 0;
            for (int item = 0; item < items; item++) {
                reader.skipPrefixedBytes();
            }
        }
        if (!any) {
            throw new MalformedBytesException("superfluous witness");
        }
    }

    private static List<byte[]> stack(ByteReader reader) {
        int items = reader.count(1);
        List<byte[]> stack = new ArrayList<>(items);
        for (int i = 0; i < items; i++) {
            stack.add(reader.prefixedBytes());
        }
        return stack;
    }

    /** Equal when the full serializations are. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Transaction transaction && wtxid.equals(transaction.wtxid);
    }

    @Override
    public int hashCode() {
        return wtxid.hashCode();
    }

    @Override
    public String toString() {
        return "Transaction[" + txid + "]";
    }
}
