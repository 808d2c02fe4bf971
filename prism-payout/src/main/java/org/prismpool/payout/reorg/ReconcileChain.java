package org.prismpool.payout.reorg;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;

/**
 * Port to the node's chain. Called on the thread of a pass; blocks until the deadline; fails with an unchecked exception.
 * Retries are safe.
 */
public interface ReconcileChain {

    /**
     * Tells why the node's view may not decide about payouts now.
     *
     * @param deadline latest end
     * @return reason of the distrust, or empty if the view is trusted
     */
    Optional<String> distrust(Deadline deadline);

    /**
     * Returns the height of the tip.
     *
     * @param deadline latest end
     * @return height, 0 or more
     */
    long tipHeight(Deadline deadline);

    /**
     * Looks heights up, in one batch if the node allows it.
     *
     * @param heights distinct heights, none above the tip
     * @param deadline latest end
     * @return active block at each height; a height that the chain lost meanwhile is left out
     */
    Map<Long, Hash256> blocksAt(List<Long> heights, Deadline deadline);
}
