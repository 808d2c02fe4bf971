package org.prismpool.payout.finalization;

import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;

/**
 * Port to what must hold around a landing besides the ledger. Called on the finalizer's thread; blocks until the
 * deadline.
 */
public interface LandingGuards {

    /**
     * Makes sure that block rows agree with the node's chain before balances move.
     *
     * @param block block that is about to be accounted; its own transition does not stand in the way. The caller holds
     *     the turn for balance mutations
     * @param deadline latest end
     * @return true if a pass for the current tip ended trusted
     */
    boolean reconciled(Hash256 block, Deadline deadline);

    /**
     * Verifies the writer lease right before the node is asked to take a block.
     *
     * @param deadline latest end
     * @return false if the lease is not provably held
     */
    boolean leaseHeld(Deadline deadline);
}
