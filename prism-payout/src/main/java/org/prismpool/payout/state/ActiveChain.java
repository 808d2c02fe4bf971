package org.prismpool.payout.state;

import java.util.Optional;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;

/**
 * Port to the node's active chain. Called on the caller's thread with no lock held; may block until the deadline.
 * Retries are safe.
 */
@FunctionalInterface
public interface ActiveChain {

    /**
     * Looks a height up.
     *
     * @param height block height, 0 or more
     * @param deadline longest wait
     * @return the block at that height, or empty if the chain is shorter
     * @throws RuntimeException if the node does not answer in time or fails
     */
    Optional<Hash256> blockAt(long height, Deadline deadline);
}
