package org.prismpool.payout.state;

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
