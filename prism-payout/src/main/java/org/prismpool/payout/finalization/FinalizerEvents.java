package org.prismpool.payout.finalization;

import org.prismpool.templates.chain.Hash256;

/** Port to those who follow block accounting. Called on the finalizer's thread with no lock held; returns at once. */
public interface FinalizerEvents {

    /** Does nothing. */
    FinalizerEvents NONE = new FinalizerEvents() {};

    /**
     * An own block is on the chain and is being accounted: obsolete builds are to be cancelled and a refresh is wanted.
     *
     * @param hash block hash
     * @param height its height
     */
    default void landed(Hash256 hash, long height) {}

    /**
     * An own block is accounted; called once per hash and process.
     *
     * @param intent intent of the block
     * @param publicationSequence its ordinal
     */
    default void accounted(CandidateIntent intent, long publicationSequence) {}

    /**
     * The ledger or an audit bundle contradicts what was submitted: the process has to stop, a restart replays.
     *
     * @param reason stable reason id
     * @param message detail for operators
     */
    default void shutdownRequested(String reason, String message) {}
}
