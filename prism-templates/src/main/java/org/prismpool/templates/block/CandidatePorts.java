package org.prismpool.templates.block;

import java.util.List;
import org.prismpool.templates.rpc.NodeRpc;

/**
 * What the lane needs of others.
 *
 * @param node the node whose chain decides
 * @param furtherNodes nodes that get every block at the same time; their answers are only recorded
 * @param accounting accounting of found blocks
 * @param outbox durable rows
 * @param spool files for what the database did not take
 * @param barrier payout state
 * @param view tips and lease in memory
 * @param alarms what the lane can't decide alone
 * @param metrics counters
 */
public record CandidatePorts(
        NodeRpc node,
        List<NodeRpc> furtherNodes,
        CandidateAccounting accounting,
        CandidateOutbox outbox,
        BlockSpool spool,
        ChildBarrier barrier,
        OfferView view,
        LaneAlarms alarms,
        CandidateMetrics metrics) {

    /** Copies the list. */
    public CandidatePorts {
        furtherNodes = List.copyOf(furtherNodes);
    }
}
