package org.prismpool.app.devnode.validation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.prismpool.app.devnode.chain.RawBlock;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.MerkleBranch;
import org.prismpool.templates.chain.Sha256d;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionInput;
import org.prismpool.templates.chain.TransactionOutput;

/** The commitment of a coinbase to all witnesses of its block (BIP141). */
public final class WitnessCommitment {

    private static final byte[] PREFIX = {0x6a, 0x24, (byte) 0xaa, 0x21, (byte) 0xa9, (byte) 0xed};
    private static final int SCRIPT_SIZE = PREFIX.length + Hash256.SIZE;

    private WitnessCommitment() {}

    /**
     * Returns the output script for a block.
     *
     * @param wtxids of all transactions but the coinbase, in block order
     * @param reservedValue 32 bytes from the coinbase witness
     * @return 38 bytes
     */
    public static byte[] script(List<Hash256> wtxids, byte[] reservedValue) {
        byte[] script = Arrays.copyOf(PREFIX, SCRIPT_SIZE);
        System.arraycopy(commitment(wtxids, reservedValue), 0, script, PREFIX.length, Hash256.SIZE);
        return script;
    }

    /**
     * Gives a committed coinbase without a witness the reserved value zero, as the node does with a submitted block.
     *
     * @param block any block
     * @return the block, changed only if needed
     */
    public static RawBlock withReservedValue(RawBlock block) {
        if (block.transactions().isEmpty()
                || block.coinbase().hasWitness()
                || !block.coinbase().isCoinbase()
                || committed(block).isEmpty()) {
            return block;
        }
        Transaction coinbase = block.coinbase();
        TransactionInput input = coinbase.inputs().get(0);
        TransactionInput withWitness = new TransactionInput(
                input.previousTxid(),
                input.previousIndex(),
                input.scriptSig(),
                input.sequence(),
                List.of(new byte[Hash256.SIZE]));
        List<Transaction> transactions = new ArrayList<>(block.transactions());
        transactions.set(
                0, Transaction.of(coinbase.version(), List.of(withWitness), coinbase.outputs(), coinbase.lockTime()));
        return new RawBlock(block.header(), transactions);
    }

    /**
     * Checks the commitment of a block; the last matching output counts.
     *
     * @param block a block whose first transaction is a coinbase
     * @return the broken rule, or empty
     */
    public static Optional<String> check(RawBlock block) {
        Optional<byte[]> committed = committed(block);
        if (committed.isEmpty()) {
            boolean witness = block.transactions().stream().anyMatch(Transaction::hasWitness);
            return witness ? Optional.of("unexpected-witness") : Optional.empty();
        }
        List<byte[]> stack = block.coinbase().inputs().get(0).witness();
        if (stack.size() != 1 || stack.get(0).length != Hash256.SIZE) {
            return Optional.of("bad-witness-nonce-size");
        }
        List<Hash256> wtxids =
                block.transactions().stream().skip(1).map(Transaction::wtxid).toList();
        boolean matches = Arrays.equals(commitment(wtxids, stack.get(0)), committed.get());
        return matches ? Optional.empty() : Optional.of("bad-witness-merkle-match");
    }

    private static Optional<byte[]> committed(RawBlock block) {
        Optional<byte[]> found = Optional.empty();
        for (TransactionOutput output : block.coinbase().outputs()) {
            byte[] script = output.script();
            if (script.length >= SCRIPT_SIZE && Arrays.equals(script, 0, PREFIX.length, PREFIX, 0, PREFIX.length)) {
                found = Optional.of(Arrays.copyOfRange(script, PREFIX.length, SCRIPT_SIZE));
            }
        }
        return found;
    }

    private static byte[] commitment(List<Hash256> wtxids, byte[] reservedValue) {
        List<Hash256> leaves = new ArrayList<>(wtxids.size() + 1);
        leaves.add(Hash256.ZERO);
        leaves.addAll(wtxids);
        return Sha256d.digest(MerkleBranch.root(leaves).internalBytes(), reservedValue);
    }
}
