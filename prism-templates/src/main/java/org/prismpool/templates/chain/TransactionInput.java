package org.prismpool.templates.chain;

import java.util.Arrays;
import java.util.List;

/**
 * One input of a transaction.
 *
 * @param previousTxid transaction whose output is spent; zero for a coinbase
 * @param previousIndex index of that output, 0 to 2^32 - 1; 2^32 - 1 for a coinbase
 * @param scriptSig script bytes; copied in and out
 * @param sequence 0 to 2^32 - 1
 * @param witness stack items, empty for none; copied in and out
 */
@SuppressWarnings("ArrayRecordComponent") // copied in and out
public record TransactionInput(
        Hash256 previousTxid, long previousIndex, byte[] scriptSig, long sequence, List<byte[]> witness) {

    /** Index that marks a null outpoint. */
    public static final long NULL_INDEX = 0xffffffffL;

    /** Copies the byte strings. */
    public TransactionInput {
        scriptSig = scriptSig.clone();
        witness = witness.stream().map(byte[]::clone).toList();
    }

    @Override
    public byte[] scriptSig() {
        return scriptSig.clone();
    }

    @Override
    public List<byte[]> witness() {
        return witness.stream().map(byte[]::clone).toList();
    }

    /**
     * Tells whether this input spends nothing, as a coinbase's only input does.
     *
     * @return true for the null outpoint
     */
    public boolean isNullOutpoint() {
        return previousIndex == NULL_INDEX && previousTxid.equals(Hash256.ZERO);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TransactionInput input
                && previousTxid.equals(input.previousTxid)
                && previousIndex == input.previousIndex
                && Arrays.equals(scriptSig, input.scriptSig)
                && sequence == input.sequence
                && Arrays.deepEquals(witness.toArray(), input.witness.toArray());
    }

    @Override
    public int hashCode() {
        return previousTxid.hashCode() * 31 + Long.hashCode(previousIndex);
    }

    @Override
    public String toString() {
        return "TransactionInput[" + previousTxid + ":" + previousIndex + "]";
    }
}
