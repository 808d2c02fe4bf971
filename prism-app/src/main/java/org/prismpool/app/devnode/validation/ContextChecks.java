package org.prismpool.app.devnode.validation;

import java.util.Arrays;
import java.util.Optional;
import org.prismpool.app.devnode.chain.IndexedBlock;
import org.prismpool.app.devnode.chain.RawBlock;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.Transaction;

/** Rules of a block that need its place in the chain but no coins: finality, height, witness, weight. */
public final class ContextChecks {

    private ContextChecks() {}

    /**
     * A broken rule.
     *
     * @param reason the node's reject reason
     * @param condemnsTheHash whether every block with this hash breaks the rule; false for witness faults, which another
     *     sender can put right under the same hash
     */
    public record Fault(String reason, boolean condemnsTheHash) {}

    /**
     * Checks a block against its parent.
     *
     * @param block a block that passed the context-free rules
     * @param parent its parent
     * @return the first broken rule in the node's order, or empty
     */
    public static Optional<Fault> check(RawBlock block, IndexedBlock parent) {
        int height = parent.height() + 1;
        long medianTimePast = parent.medianTimePast();
        for (Transaction transaction : block.transactions()) {
            if (!TransactionChecks.isFinal(transaction, height, medianTimePast)) {
                return Optional.of(new Fault("bad-txns-nonfinal", true));
            }
        }
        byte[] expected = HeightPush.of(height);
        byte[] script = block.coinbase().inputs().get(0).scriptSig();
        if (script.length < expected.length
                || !Arrays.equals(script, 0, expected.length, expected, 0, expected.length)) {
            return Optional.of(new Fault("bad-cb-height", true));
        }
        Optional<String> witness = WitnessCommitment.check(block);
        if (witness.isPresent()) {
            return Optional.of(new Fault(witness.get(), false));
        }
        return block.size() > Network.MAX_BLOCK_WEIGHT
                ? Optional.of(new Fault("bad-blk-weight", true))
                : Optional.empty();
    }
}
