package org.prismpool.app.devnode.validation;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.prismpool.app.devnode.chain.OutPoint;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionInput;
import org.prismpool.templates.chain.TransactionOutput;

/** Rules of one transaction that need nothing but the transaction. */
public final class TransactionChecks {

    /** Largest amount: all coins that the subsidy schedule can ever create stay below it. */
    public static final long LARGEST_AMOUNT_SATS = 210_000_000L * Network.SATS_PER_COIN;

    private static final long LOCK_TIME_IS_HEIGHT_BELOW = 500_000_000L;
    private static final long FINAL_SEQUENCE = 0xffffffffL;
    private static final int OP_RETURN = 0x6a;
    private static final int RESERVED_VERSION_LOWEST = 0x53;
    private static final int RESERVED_VERSION_HIGHEST = 0x60;

    private TransactionChecks() {}

    /**
     * Checks structure and amounts.
     *
     * @param transaction any transaction
     * @return the broken rule, or empty
     */
    public static Optional<String> structure(Transaction transaction) {
        List<TransactionOutput> outputs = transaction.outputs();
        if (outputs.isEmpty()) {
            return Optional.of("bad-txns-vout-empty");
        }
        if (transaction.size() > Network.MAX_BLOCK_WEIGHT
                && transaction.strippedBytes().length > Network.MAX_BLOCK_WEIGHT) {
            return Optional.of("bad-txns-oversize");
        }
        Optional<String> amounts = amounts(outputs);
        return amounts.isPresent() ? amounts : inputs(transaction);
    }

    /**
     * Tells whether a transaction may be in a block.
     *
     * @param transaction any transaction
     * @param height height of the block
     * @param medianTimePast median time of the block's parent
     * @return true if its lock time has passed or is switched off
     */
    public static boolean isFinal(Transaction transaction, int height, long medianTimePast) {
        long lockTime = transaction.lockTime();
        long limit = lockTime < LOCK_TIME_IS_HEIGHT_BELOW ? height : medianTimePast;
        if (lockTime == 0 || lockTime < limit) {
            return true;
        }
        return transaction.inputs().stream().allMatch(input -> input.sequence() == FINAL_SEQUENCE);
    }

    /**
     * Tells whether a chain with restricted outputs allows a script: P2MR, data, pay-to-anchor or a reserved witness
     * version.
     *
     * @param script output script
     * @return true if allowed
     */
    public static boolean isAllowedOutput(byte[] script) {
        if (script.length > 0 && script[0] == OP_RETURN) {
            return true;
        }
        boolean program = script.length >= 4 && script.length <= 42 && script[1] == script.length - 2;
        if (!program) {
            return false;
        }
        int version = script[0] & 0xff;
        boolean p2mr = version == 0x52 && script.length == 34;
        boolean anchor = version == 0x51 && script.length == 4 && script[2] == 0x4e && script[3] == 0x73;
        boolean reserved = version >= RESERVED_VERSION_LOWEST && version <= RESERVED_VERSION_HIGHEST;
        return p2mr || anchor || reserved;
    }

    /**
     * Checks the outputs of one transaction on a chain with restricted outputs.
     *
     * @param transaction any transaction
     * @return {@code bad-txns-output-not-p2mr}, or empty
     */
    public static Optional<String> outputTypes(Transaction transaction) {
        boolean allowed = transaction.outputs().stream().allMatch(output -> isAllowedOutput(output.script()));
        return allowed ? Optional.empty() : Optional.of("bad-txns-output-not-p2mr");
    }

    private static Optional<String> amounts(List<TransactionOutput> outputs) {
        long total = 0;
        for (TransactionOutput output : outputs) {
            long value = output.valueSats();
            if (value < 0) {
                return Optional.of("bad-txns-vout-negative");
            }
            if (value > LARGEST_AMOUNT_SATS) {
                return Optional.of("bad-txns-vout-toolarge");
            }
            total += value;
            if (total > LARGEST_AMOUNT_SATS) {
                return Optional.of("bad-txns-txouttotal-toolarge");
            }
        }
        return Optional.empty();
    }

    private static Optional<String> inputs(Transaction transaction) {
        List<TransactionInput> inputs = transaction.inputs();
        Set<OutPoint> seen = new HashSet<>();
        for (TransactionInput input : inputs) {
            if (!seen.add(new OutPoint(input.previousTxid(), input.previousIndex()))) {
                return Optional.of("bad-txns-inputs-duplicate");
            }
        }
        if (transaction.isCoinbase()) {
            int length = inputs.get(0).scriptSig().length;
            boolean good = length >= 2 && length <= Network.MAX_COINBASE_SCRIPT_SIG;
            return good ? Optional.empty() : Optional.of("bad-cb-length");
        }
        boolean spendsNothing = inputs.stream().anyMatch(TransactionInput::isNullOutpoint);
        return spendsNothing ? Optional.of("bad-txns-prevout-null") : Optional.empty();
    }
}
