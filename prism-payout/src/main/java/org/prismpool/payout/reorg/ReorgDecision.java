package org.prismpool.payout.reorg;

import java.util.Optional;
import org.prismpool.templates.chain.Hash256;

/** What a row and the chain together ask for (spec 06 §6.1 steps 3, 4a and stranded rows); pure. */
enum ReorgDecision {
    /** Row and chain agree, or nothing can be decided. */
    KEEP,
    /** A confirmed block left the chain. */
    MARK_INACTIVE,
    /** An inactive block is on the chain again. */
    REACTIVATE,
    /** A rejected block is on the chain after all. */
    REINSTATE,
    /** A prepared block without a candidate is off the chain and buried. */
    REJECT_STRANDED,
    /** A prepared block without a candidate is on the chain: for an operator, never touched. */
    REPORT_STRANDED;

    /**
     * Decides about one row.
     *
     * @param block the row
     * @param tipHeight height of the tip
     * @param active block of the chain at the row's height
     */
    static ReorgDecision of(WatchedBlock block, long tipHeight, Optional<Hash256> active) {
        boolean onChain = block.height() <= tipHeight
                && active.isPresent()
                && active.get().equals(block.hash());
        return switch (block.state()) {
            case CONFIRMED -> onChain ? KEEP : MARK_INACTIVE;
            case INACTIVE -> onChain ? REACTIVATE : KEEP;
            case REJECTED -> onChain ? REINSTATE : KEEP;
            case PREPARED -> onChain ? REPORT_STRANDED : REJECT_STRANDED;
        };
    }
}
