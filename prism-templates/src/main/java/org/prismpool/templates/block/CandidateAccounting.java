package org.prismpool.templates.block;

/**
 * Port to the accounting of found blocks.
 *
 * <p>Each hand-over ends in exactly one {@link CandidateLane#settle}, from any thread; until then no other hand-over of
 * the same hash happens.
 */
@FunctionalInterface
public interface CandidateAccounting {

    /**
     * Takes a candidate over. Called on an offer thread right after the node has answered: returns at once, touches
     * neither database nor node, and never refuses.
     *
     * @param candidate the block and what the node said
     */
    void account(OfferedCandidate candidate);
}
