package org.prismpool.templates.block;

/**
 * A candidate handed over for accounting.
 *
 * @param candidate the block
 * @param outcome result of the latest offer
 * @param everOffered whether any offer of this process, or an attempt of an earlier one, may have reached the node
 * @param replayed whether it comes from an earlier process
 * @param arrival order of arrival in this process
 * @param pass number of this hand-over of the candidate, from 1
 */
public record OfferedCandidate(
        BlockCandidate candidate,
        OfferOutcome outcome,
        boolean everOffered,
        boolean replayed,
        long arrival,
        int pass) {}
