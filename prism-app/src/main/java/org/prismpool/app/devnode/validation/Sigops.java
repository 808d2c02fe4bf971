package org.prismpool.app.devnode.validation;

import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionInput;
import org.prismpool.templates.chain.TransactionOutput;

/** Counts signature operations that stand openly in scripts; those inside P2MR witnesses are not looked at. */
public final class Sigops {

    private static final int OP_PUSHDATA1 = 0x4c;
    private static final int OP_PUSHDATA2 = 0x4d;
    private static final int OP_PUSHDATA4 = 0x4e;
    private static final int OP_CHECKSIG = 0xac;
    private static final int OP_CHECKSIGVERIFY = 0xad;
    private static final int OP_CHECKMULTISIG = 0xae;
    private static final int OP_CHECKMULTISIGVERIFY = 0xaf;
    private static final int MULTISIG_COST = 20;

    private Sigops() {}

    /**
     * Returns the cost of a transaction.
     *
     * @param transaction any transaction
     * @return 0 or more
     */
    public static int of(Transaction transaction) {
        int total = 0;
        for (TransactionInput input : transaction.inputs()) {
            total += inScript(input.scriptSig());
        }
        for (TransactionOutput output : transaction.outputs()) {
            total += inScript(output.script());
        }
        return total;
    }

    private static int inScript(byte[] script) {
        int total = 0;
        int at = 0;
        while (at < script.length) {
            int opcode = script[at] & 0xff;
            at++;
            if (opcode == OP_CHECKSIG || opcode == OP_CHECKSIGVERIFY) {
                total++;
            } else if (opcode == OP_CHECKMULTISIG || opcode == OP_CHECKMULTISIGVERIFY) {
                total += MULTISIG_COST;
            } else if (opcode <= OP_PUSHDATA4) {
                long skip = pushEnd(script, at, opcode);
                if (skip > script.length) {
                    return total;
                }
                at = (int) skip;
            }
        }
        return total;
    }

    /** Returns the index after a push; beyond the script when it is cut short. */
    private static long pushEnd(byte[] script, int at, int opcode) {
        int lengthBytes = opcode == OP_PUSHDATA1 ? 1 : opcode == OP_PUSHDATA2 ? 2 : opcode == OP_PUSHDATA4 ? 4 : 0;
        if (lengthBytes == 0) {
            return (long) at + opcode;
        }
        if (at + lengthBytes > script.length) {
            return Long.MAX_VALUE;
        }
        long length = 0;
        for (int i = 0; i < lengthBytes; i++) {
            length |= (script[at + i] & 0xffL) << (8 * i);
        }
        return at + lengthBytes + length;
    }
}
