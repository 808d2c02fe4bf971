package org.prismpool.templates.block;

import org.prismpool.templates.chain.Hash256;

/**
 * Port to the payout state: jobs on top of an own block wait until its balances are known.
 *
 * <p>Called on an offer thread; both methods return at once.
 */
public interface ChildBarrier {

    /**
     * Makes jobs on top of a candidate wait, before it is offered; arming twice changes nothing.
     *
     * @param hash block hash
     * @param height its height
     */
    void arm(Hash256 hash, long height);

    /**
     * Lets jobs on top of a candidate go on, when it is settled or parked.
     *
     * @param hash block hash
     */
    void release(Hash256 hash);
}
