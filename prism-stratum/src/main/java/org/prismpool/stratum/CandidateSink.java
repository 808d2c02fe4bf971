package org.prismpool.stratum;

import java.util.concurrent.CompletionStage;
import org.prismpool.templates.chain.Hash256;

/**
 * Port to the lane that offers found blocks to the node (spec 03 §6.2). Called on event loops: returns at once and never
 * throws for a busy lane.
 */
public interface CandidateSink {

    /**
     * Offers a solve whose intent is durable.
     *
     * @param solve the solved block
     */
    void enqueue(BlockSolve solve);

    /**
     * Persists the intent of a solve below the share target, offers it and credits the share if it lands.
     *
     * @param solve the solved block, with the share to credit
     * @return stage with the outcome; a failed stage counts as {@link LandingResult#OPEN}
     */
    CompletionStage<LandingResult> submitNow(BlockSolve solve);

    /**
     * Offers a solve whose submit was refused; nothing is credited for it.
     *
     * @param solve the solved block
     */
    void offerUncredited(BlockSolve solve);

    /**
     * Offers a solve whose commit failed or is undecided, and keeps it safe until the ledger answers.
     *
     * @param solve the solved block
     */
    void offerUnpersisted(BlockSolve solve);

    /**
     * Wakes a pending candidate because its solve was submitted again.
     *
     * @param hash hash of the solved header
     */
    void wake(Hash256 hash);
}
