package org.prismpool.payout.ctv;

import org.prismpool.payout.json.Sha256;
import org.prismpool.templates.chain.ByteWriter;

/** The hash that OP_CHECKTEMPLATEVERIFY compares (settlement specification 8). */
public final class CtvHash {

    private CtvHash() {}

    /**
     * Returns the preimage for one input of a transaction: version, lock time, scriptSigs if any, sequences, outputs and the
     * input index. Prevouts and witness are not part of it.
     *
     * @param transactionHex the transaction, with or without witness
     * @param inputIndex index of the input
     * @return the preimage
     * @throws org.prismpool.payout.window.PayoutRuleException if it is not a transaction
     */
    public static byte[] preimage(String transactionHex, long inputIndex) {
        return preimage(StrictTransaction.parseHex("transaction", transactionHex), inputIndex);
    }

    /**
     * Returns the hash for one input of a transaction.
     *
     * @param transactionHex the transaction, with or without witness
     * @param inputIndex index of the input
     * @return 32 bytes
     * @throws org.prismpool.payout.window.PayoutRuleException if it is not a transaction
     */
    public static byte[] of(String transactionHex, long inputIndex) {
        return Sha256.hash(preimage(transactionHex, inputIndex));
    }

    static byte[] of(StrictTransaction transaction, long inputIndex) {
        return Sha256.hash(preimage(transaction, inputIndex));
    }

    private static byte[] preimage(StrictTransaction transaction, long inputIndex) {
        ByteWriter scriptSigs = new ByteWriter();
        ByteWriter sequences = new ByteWriter();
        boolean anyScriptSig = false;
        for (StrictTransaction.Input input : transaction.inputs()) {
            anyScriptSig |= input.scriptSig().length > 0;
            scriptSigs.prefixedBytes(input.scriptSig());
            sequences.u32(input.sequence());
        }
        ByteWriter outputs = new ByteWriter();
        for (StrictTransaction.Output output : transaction.outputs()) {
            outputs.i64(output.value()).prefixedBytes(output.script());
        }
        ByteWriter preimage = new ByteWriter();
        preimage.i32(transaction.version()).u32(transaction.lockTime());
        if (anyScriptSig) {
            preimage.bytes(Sha256.hash(scriptSigs.toByteArray()));
        }
        return preimage.u32(transaction.inputs().size())
                .bytes(Sha256.hash(sequences.toByteArray()))
                .u32(transaction.outputs().size())
                .bytes(Sha256.hash(outputs.toByteArray()))
                .u32(inputIndex)
                .toByteArray();
    }
}
