package org.prismpool.payout.state;

import org.prismpool.lifecycle.time.Deadline;

/**
 * Port to the owners that follow the payout state. Called with no lock held; every method must return quickly and must
 * not call back into {@link PayoutState}.
 */
public interface PayoutEvents {

    /**
     * The fence closed: caches are to be emptied, builds and older fan-outs cancelled.
     *
     * @param generation payout generation that is no longer delivered
     */
    default void fenced(long generation) {}

    /**
     * The swap is under way: no delivery is admitted and no other change of payout state happens until this returns.
     * Epochs are minted and caches dropped here. No I/O.
     *
     * @param next state that becomes current when this returns
     */
    default void swapping(PublishedPayout next) {}

    /**
     * A new generation is current.
     *
     * @param state the published state
     */
    default void published(PublishedPayout state) {}

    /**
     * The balances after a found block are about to be published; its children are built right after. What they pay from
     * may be brought up to date here, since found blocks bypass the interval of routine windows (spec 04 §16). The one
     * method that may wait, no longer than the deadline; children are built from what there is when it returns.
     *
     * @param deadline end of the wait
     * @throws InterruptedException if the publishing thread is interrupted
     */
    default void acceptedBlockPreparing(Deadline deadline) throws InterruptedException {}

    /**
     * A share row became durable below a live window anchor; ready work built on an affected window is stale.
     *
     * @param epoch the new append epoch
     * @param visibleFromMs smallest anchor that is affected, milliseconds since the epoch
     */
    default void appendEpochMoved(long epoch, long visibleFromMs) {}

    /**
     * Published work no longer matches the payout state; a refresh attempt must start after this call.
     *
     * @param reason stable lower-case words for logs
     */
    default void refreshWanted(String reason) {}
}
