package org.prismpool.templates.block;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.rpc.NodeRpc;
import org.prismpool.templates.rpc.RpcException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends, in one statement a page, the rows of a long outbox whose height a sibling has decided: the active block of that height
 * has the same parent, so as much work, and nothing says that the node has ever seen the row's block (spec 03 §6.9.6).
 *
 * <p>Blocking; called on one thread. Doubt keeps a row.
 */
final class LostSiblings {

    private static final Logger LOG = LoggerFactory.getLogger(LostSiblings.class);
    private static final String MESSAGE = "stale-job: a sibling has decided the height";

    private final NodeRpc node;
    private final CandidateOutbox outbox;
    private final CandidateMetrics metrics;
    private final Map<Long, Optional<Hash256>> decidedParents = new HashMap<>(); // by height, for one enumeration

    LostSiblings(NodeRpc node, CandidateOutbox outbox, CandidateMetrics metrics) {
        this.node = node;
        this.outbox = outbox;
        this.metrics = metrics;
    }

    /** Ends the lost rows of a page and returns the others. */
    List<OutboxRow> without(List<OutboxRow> page, Deadline deadline) {
        List<String> lost = new ArrayList<>();
        for (OutboxRow row : page) {
            boolean untouched = row.attempts() == 0 && !row.ledgerEvidence();
            if (untouched
                    && row.candidate().filter(each -> lost(each, deadline)).isPresent()) {
                lost.add(row.cursor().hashHex());
            }
        }
        if (lost.isEmpty()) {
            return page;
        }
        Set<String> ended = outbox.abandonSuperseded(lost, MESSAGE, deadline);
        ended.forEach(hash -> metrics.abandoned(AbandonReason.TIP_MOVED));
        LOG.atInfo().addKeyValue("rows", ended.size()).log("lost sibling blocks given up without an offer");
        return page.stream()
                .filter(row -> !ended.contains(row.cursor().hashHex()))
                .collect(Collectors.toList());
    }

    private boolean lost(BlockCandidate candidate, Deadline deadline) {
        try {
            return !node.getBestBlockHash(deadline).equals(candidate.parent())
                    && decidedParent(candidate, deadline).equals(Optional.of(candidate.parent()))
                    && node.getBlockHeader(candidate.hash(), deadline).isEmpty();
        } catch (RpcException doubt) {
            LOG.atDebug().addKeyValue("failure", doubt.getMessage()).log("sibling not looked up; the row is kept");
            return false;
        }
    }

    /** Parent of another active block at the candidate's height. */
    private Optional<Hash256> decidedParent(BlockCandidate candidate, Deadline deadline) {
        Optional<Hash256> known = decidedParents.get(candidate.height());
        if (known != null) {
            return known;
        }
        Hash256 active = node.getBlockHash(candidate.height(), deadline);
        Optional<Hash256> parent =
                active.equals(candidate.hash()) ? Optional.empty() : node.getBlockParent(active, deadline);
        decidedParents.put(candidate.height(), parent);
        return parent;
    }
}
