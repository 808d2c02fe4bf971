package org.prismpool.payout.finalization;

import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.block.AbandonDecision;
import org.prismpool.templates.block.AbandonReason;
import org.prismpool.templates.block.AccountingResult;
import org.prismpool.templates.block.BlockCandidate;
import org.prismpool.templates.block.CandidateLane;
import org.prismpool.templates.block.ChainVerdict;
import org.prismpool.templates.block.OfferOutcome;
import org.prismpool.templates.block.PreviewSwitch;
import org.prismpool.templates.chain.Hash256;

/** Port to the lane that hands candidates over. Called on the finalizer's thread; node calls block until the deadline. */
public interface OfferLane {

    /**
     * Ends a hand-over.
     *
     * @param hash block hash
     * @param result how accounting ended
     */
    void settle(Hash256 hash, AccountingResult result);

    /**
     * Asks the node where a candidate stands.
     *
     * @param candidate the block
     * @param deadline latest end
     * @return the node's answer
     */
    ChainVerdict probe(BlockCandidate candidate, Deadline deadline);

    /**
     * Decides whether a candidate may be given up.
     *
     * @param candidate the block
     * @param reason why
     * @param preview its payout preview
     * @param deadline latest end
     * @return the decision
     */
    AbandonDecision abandon(BlockCandidate candidate, AbandonReason reason, PreviewSwitch preview, Deadline deadline);

    /**
     * Offers a candidate that the node has never seen.
     *
     * @param candidate the block
     * @param deadline latest end
     * @return the node's answer
     */
    OfferOutcome offer(BlockCandidate candidate, Deadline deadline);

    /**
     * Adapts the lane itself.
     *
     * @param lane the lane
     * @return port to it
     */
    static OfferLane of(CandidateLane lane) {
        return new OfferLane() {
            @Override
            public void settle(Hash256 hash, AccountingResult result) {
                lane.settle(hash, result);
            }

            @Override
            public ChainVerdict probe(BlockCandidate candidate, Deadline deadline) {
                return lane.evidence().probe(candidate, deadline);
            }

            @Override
            public AbandonDecision abandon(
                    BlockCandidate candidate, AbandonReason reason, PreviewSwitch preview, Deadline deadline) {
                return lane.evidence().abandon(candidate, reason, preview, deadline);
            }

            @Override
            public OfferOutcome offer(BlockCandidate candidate, Deadline deadline) {
                return lane.offerFromAccounting(candidate, deadline);
            }
        };
    }
}
