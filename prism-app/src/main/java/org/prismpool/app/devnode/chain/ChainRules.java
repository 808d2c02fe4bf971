package org.prismpool.app.devnode.chain;

import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.Target;

/**
 * The parameters of the chain that the node runs.
 *
 * @param network genesis block, address prefix, subsidy, proof-of-work limit
 * @param difficulty bits of the next block
 * @param restrictedOutputs whether only P2MR and the other allowed scripts may be paid
 * @param coinbaseMaturity confirmations before a coinbase may be spent, 1 or more
 */
public record ChainRules(Network network, DifficultyMode difficulty, boolean restrictedOutputs, int coinbaseMaturity) {

    /** Checks the ranges. */
    public ChainRules {
        if (coinbaseMaturity < 1) {
            throw new IllegalArgumentException("coinbaseMaturity must be 1 or more");
        }
    }

    /**
     * Returns the bits that a child of a block must carry.
     *
     * @param parent the block before
     * @return compact bits
     */
    public int nextBits(IndexedBlock parent) {
        return difficulty.nextBits(parent, powLimit());
    }

    /**
     * Returns the easiest target.
     *
     * @return the network's proof-of-work limit
     */
    public Target powLimit() {
        return network.powLimit();
    }
}
