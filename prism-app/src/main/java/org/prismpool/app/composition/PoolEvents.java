package org.prismpool.app.composition;

import org.prismpool.payout.finalization.CandidateIntent;
import org.prismpool.templates.chain.Hash256;

/** What a host program may want to show of a running coordinator. Called on owners' threads; must return at once. */
public interface PoolEvents {

    /** Shows nothing. */
    PoolEvents NONE = new PoolEvents() {};

    /**
     * Tells in words what the start waits for or has done.
     *
     * @param text one line
     */
    default void progress(String text) {}

    /**
     * Hears of work that was published on a tip.
     *
     * @param tip the tip
     * @param height height of the work
     * @param collection whether the pool still collects miners
     */
    default void workPublished(Hash256 tip, long height, boolean collection) {}

    /** Hears that a refresh has ended, however. */
    default void refreshEnded() {}

    /**
     * Hears of an own block that is on the chain and accounted; once for each block and process.
     *
     * @param intent the block with everything it was built from
     * @param publicationSequence its ordinal
     */
    default void blockAccounted(CandidateIntent intent, long publicationSequence) {}
}
