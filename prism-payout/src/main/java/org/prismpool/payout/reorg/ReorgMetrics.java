package org.prismpool.payout.reorg;

/** Port to the counters of reorganisation passes. Called on the thread of a pass; implementations only add. */
public interface ReorgMetrics {

    /** Does nothing. */
    ReorgMetrics NONE = new ReorgMetrics() {};

    /** Counts a pass that an untrusted chain view ended. */
    default void skipped() {}

    /** Counts a pass that failed. */
    default void failed() {}

    /** Counts a block that was reinstated. */
    default void reinstated() {}

    /**
     * Reports the mature blocks that are off the chain.
     *
     * @param count 0 while all is well; anything else needs an operator
     */
    default void matureOffChain(int count) {}
}
