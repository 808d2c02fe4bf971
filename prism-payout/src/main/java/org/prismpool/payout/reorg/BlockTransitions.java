package org.prismpool.payout.reorg;

import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;

/**
 * Port to the transitions that a pass makes. Each is one fenced transaction with a guard on the state before; called on
 * the thread of a pass; blocks until the deadline. After a failure the change may have happened.
 */
public interface BlockTransitions {

    /**
     * Moves a confirmed immature block to inactive; refused for a mature one.
     *
     * @param hash block hash
     * @param deadline latest end
     */
    void markInactive(Hash256 hash, Deadline deadline);

    /**
     * Moves an inactive block back to confirmed with its old ordinal, under the publication-order guard.
     *
     * @param hash block hash
     * @param deadline latest end
     */
    void reactivate(Hash256 hash, Deadline deadline);

    /**
     * Reinstates a rejected block as prepared, confirms it with a new ordinal and publishes its audit files.
     *
     * @param hash block hash
     * @param height its height
     * @param deadline latest end
     */
    void reinstate(Hash256 hash, long height, Deadline deadline);

    /**
     * Rejects a prepared block that is off the chain and buried.
     *
     * @param hash block hash
     * @param deadline latest end
     */
    void rejectStranded(Hash256 hash, Deadline deadline);

    /**
     * Matures every confirmed block that is deep enough, with its payouts and carries.
     *
     * @param tipHeight height of the tip
     * @param deadline latest end
     * @return payout entries that matured
     */
    int mature(long tipHeight, Deadline deadline);
}
