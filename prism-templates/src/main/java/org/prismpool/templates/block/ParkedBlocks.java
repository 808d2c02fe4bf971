package org.prismpool.templates.block;

import java.util.Optional;
import java.util.function.Consumer;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.rpc.BlockPlace;
import org.prismpool.templates.rpc.NodeRpc;
import org.prismpool.templates.rpc.RpcException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at each parked side-branch block once per published tip (spec 03 §6.4). Blocking; called on one thread. */
final class ParkedBlocks {

    private static final Logger LOG = LoggerFactory.getLogger(ParkedBlocks.class);
    private static final int BURIED_DEPTH = 100;

    private final NodeRpc node;
    private final CandidateBook book;
    private final Consumer<OfferedCandidate> handOver;

    ParkedBlocks(NodeRpc node, CandidateBook book, Consumer<OfferedCandidate> handOver) {
        this.node = node;
        this.book = book;
        this.handOver = handOver;
    }

    void probe(long tipHeight, Deadline deadline) {
        for (CandidateState state : book.states()) {
            if (state.phase() == CandidateState.Phase.PARKED) {
                probe(state.candidate(), tipHeight, deadline);
            }
        }
    }

    private void probe(BlockCandidate candidate, long tipHeight, Deadline deadline) {
        boolean active;
        try {
            Optional<BlockPlace> place = node.getBlockHeader(candidate.hash(), deadline);
            active = place.isPresent() && place.get().active();
        } catch (RpcException e) {
            LOG.atDebug()
                    .addKeyValue("block", candidate.hash().displayHex())
                    .addKeyValue("failure", e.getMessage())
                    .log("parked block can't be probed");
            return;
        }
        if (active || tipHeight >= candidate.height() + BURIED_DEPTH) {
            book.unpark(candidate.hash(), !active).ifPresent(handOver);
        }
    }
}
