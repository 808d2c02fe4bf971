package org.prismpool.app.composition.block;

import org.prismpool.templates.block.ChildBarrier;
import org.prismpool.templates.chain.Hash256;

/** Lets jobs on top of a settled or parked block go on, and windows over the share it would have credited. */
public final class LandingBarrier implements ChildBarrier {

    private final ChildBarrier parents;
    private final CreditHolds credits;

    public LandingBarrier(ChildBarrier parents, CreditHolds credits) {
        this.parents = parents;
        this.credits = credits;
    }

    @Override
    public void arm(Hash256 hash, long height) {
        parents.arm(hash, height);
    }

    @Override
    public void release(Hash256 hash) {
        credits.release(hash);
        parents.release(hash);
    }
}
