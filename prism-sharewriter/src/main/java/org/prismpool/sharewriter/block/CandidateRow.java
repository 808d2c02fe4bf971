package org.prismpool.sharewriter.block;

import java.util.Optional;
import org.prismpool.sharewriter.CandidateState;

/**
 * A block candidate as the outbox holds it.
 *
 * @param position place in the outbox; its hash, not the intent's, is authoritative
 * @param shareId linked share, empty until its share is credited
 * @param intentJson the intent, empty once terminal
 * @param sha256 identity digest
 * @param state state
 * @param attempts accounting attempts so far
 * @param lastError why it was abandoned, empty otherwise
 * @param landed standing of the block's own row at the same moment, empty if the block was never recorded
 */
public record CandidateRow(
        OutboxPosition position,
        Optional<String> shareId,
        Optional<String> intentJson,
        String sha256,
        CandidateState state,
        int attempts,
        Optional<String> lastError,
        Optional<ChainState> landed) {

    /**
     * Returns the block's display hash.
     *
     * @return row key
     */
    public String blockHash() {
        return position.blockHash();
    }
}
