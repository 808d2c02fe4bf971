package org.prismpool.payout.finalization;

import org.prismpool.payout.state.AcceptedParentBarrier;
import org.prismpool.templates.block.ChildBarrier;
import org.prismpool.templates.chain.Hash256;

/** Connects the candidate lane with the accepted-parent barrier: jobs on an own block wait for its balances. */
public final class ParentLink implements ChildBarrier {

    private final AcceptedParentBarrier parents;

    /**
     * Creates the link.
     *
     * @param parents barrier of the payout state
     */
    public ParentLink(AcceptedParentBarrier parents) {
        this.parents = parents;
    }

    @Override
    public void arm(Hash256 hash, long height) {
        parents.pending(hash, height);
    }

    @Override
    public void release(Hash256 hash) {
        parents.cleared(hash);
    }
}
