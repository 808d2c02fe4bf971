package org.prismpool.templates.block;

import java.util.Optional;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.rpc.BlockPlace;
import org.prismpool.templates.rpc.NodeRpc;
import org.prismpool.templates.rpc.RpcException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides from the chain whether a candidate may be given up (spec 03 §6.6).
 *
 * <p>Thread-safe. Methods block for at most a few node calls; no lock is held meanwhile.
 */
public final class AcceptanceEvidence {

    private static final Logger LOG = LoggerFactory.getLogger(AcceptanceEvidence.class);

    private final NodeRpc node;
    private final Registered registered;
    private final CandidateMetrics metrics;

    /** The registry under the lane's lock. */
    interface Registered {

        boolean freshEvidence(Hash256 hash);

        boolean seal(Hash256 hash, boolean overridesEvidence);

        boolean endedAsSubmitted(Hash256 hash);
    }

    AcceptanceEvidence(NodeRpc node, Registered registered, CandidateMetrics metrics) {
        this.node = node;
        this.registered = registered;
        this.metrics = metrics;
    }

    /**
     * Asks the node where a candidate stands; the two questions are independent, so the failure of one leaves the other.
     *
     * @param candidate the block
     * @param deadline latest end of both questions together
     * @return the node's answer
     */
    public ChainVerdict probe(BlockCandidate candidate, Deadline deadline) {
        boolean isTip = isTip(candidate.hash(), deadline);
        Optional<BlockPlace> place = place(candidate.hash(), deadline);
        if (place.isPresent() && place.get().active()) {
            return place.get().height() == candidate.height() ? ChainVerdict.ACTIVE : ChainVerdict.WRONG_HEIGHT;
        }
        if (isTip) {
            return ChainVerdict.ACTIVE;
        }
        return place.isPresent() ? ChainVerdict.OFF_CHAIN : ChainVerdict.UNKNOWN;
    }

    private boolean isTip(Hash256 hash, Deadline deadline) {
        try {
            return node.getBestBlockHash(deadline).equals(hash);
        } catch (RpcException e) {
            LOG.atDebug().addKeyValue("failure", e.getMessage()).log("tip probe failed");
            return false;
        }
    }

    private Optional<BlockPlace> place(Hash256 hash, Deadline deadline) {
        try {
            return node.getBlockHeader(hash, deadline);
        } catch (RpcException e) {
            LOG.atDebug().addKeyValue("failure", e.getMessage()).log("header probe failed");
            return Optional.empty();
        }
    }

    /**
     * Decides whether a candidate may be given up. On {@link AbandonDecision#SEALED} the caller ends the outbox row,
     * then rejects prepared rows, then settles.
     *
     * @param candidate the block, in accounting
     * @param reason why it would be given up
     * @param preview its payout preview, withdrawn before the last look at the chain
     * @param deadline latest end of all node calls together
     * @return the decision
     */
    public AbandonDecision abandon(
            BlockCandidate candidate, AbandonReason reason, PreviewSwitch preview, Deadline deadline) {
        Hash256 hash = candidate.hash();
        if (reason == AbandonReason.TIP_MOVED && registered.endedAsSubmitted(hash)) {
            return AbandonDecision.ALREADY_SUBMITTED;
        }
        if (reason == AbandonReason.LEDGER_CONFIRMATION_SUPERSEDED) {
            // The ledger has disposed of the row for good; if the chain has the block all the same, the row is
            // reinstated.
            preview.withdraw();
            registered.seal(hash, true);
            return AbandonDecision.SEALED;
        }
        ChainVerdict first = probe(candidate, deadline);
        boolean observed = first != ChainVerdict.WRONG_HEIGHT && registered.freshEvidence(hash);
        if (first == ChainVerdict.ACTIVE || observed) {
            return deferred();
        }
        preview.withdraw();
        // Withdrawing may have taken long enough for the chain to decide.
        ChainVerdict second = probe(candidate, deadline);
        boolean immutable = second == ChainVerdict.WRONG_HEIGHT;
        if (second != ChainVerdict.ACTIVE && registered.seal(hash, immutable)) {
            return AbandonDecision.SEALED;
        }
        preview.restore();
        return deferred();
    }

    private AbandonDecision deferred() {
        metrics.acceptPendingDeferred();
        return AbandonDecision.DEFERRED;
    }
}
