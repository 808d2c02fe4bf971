package org.prismpool.payout.state;

/** Port to the counters of this owner. Called on hot paths: implementations only add. */
public interface PayoutStateMetrics {

    /** Relation of a delivery's generation to the published one when the gate decided. */
    enum Relation {
        /** Equal generations. */
        CURRENT,
        /** The delivery is older. */
        STALE,
        /** The delivery is newer. */
        FUTURE
    }

    /** Events of prepared windows and balance artifacts, by their label in the metric family. */
    enum ArtifactEvent {
        /** A window was built. */
        BUILT,
        /** A window build was given up. */
        BUILD_ABORTED,
        /** A build was put off because the previous one is too recent. */
        DEBOUNCED,
        /** A window advanced by its delta. */
        INCREMENTAL,
        /** A window was read as a whole. */
        FULL_RESCAN,
        /** The periodic full read equalled the advanced window. */
        SELF_CHECK_MATCH,
        /** The periodic full read differed; it replaced the advanced window. */
        SELF_CHECK_MISMATCH,
        /** The periodic full read failed; the advanced window stays. */
        SELF_CHECK_FAILED,
        /** The reused balances differed from a fresh read. */
        BALANCE_CHECK_MISMATCH,
        /** The window of a found block was kept for its child. */
        FOUND_BLOCK_CACHED,
        /** A window was installed under a new generation. */
        INSTALLED,
        /** A window with equal content was refreshed in place. */
        REFRESHED,
        /** The installed window was already as new. */
        ALREADY_CURRENT,
        /** A window lost against newer state. */
        DISCARDED,
        /** A window was older than the maximum anchor age when it arrived. */
        BORN_EXPIRED,
        /** A background re-anchor was scheduled. */
        REARM_SCHEDULED,
        /** A build was served from the installed window. */
        SERVED_REUSE,
        /** A lookup was refused because the anchor is too old. */
        PROBE_REJECTED_CEILING,
        /** A lookup was served although the re-anchor age has passed. */
        PROBE_PAST_FLOOR
    }

    /**
     * Records one decision of the gate.
     *
     * @param relation relation of the generations
     * @param nanos time from the caller's first attempt to the decision
     */
    default void gateWait(Relation relation, long nanos) {}

    /**
     * Records the preparation of a balance artifact.
     *
     * @param nanos duration of the preparation
     */
    default void preparation(long nanos) {}

    /**
     * Records a swap; the wait for admitted deliveries is not part of it.
     *
     * @param nanos duration of the swap
     */
    default void publish(long nanos) {}

    /**
     * Records the time from an invalidation to the first priority delivery of the generation that followed it.
     *
     * @param nanos duration
     */
    default void invalidationToFirstDelivery(long nanos) {}

    /** Counts a candidate that lost against a newer source or generation. */
    default void candidateDiscarded() {}

    /** Counts a publication that gave up waiting for admitted deliveries. */
    default void gateTimeout() {}

    /** Counts a child build that waited in vain for its parent's preview. */
    default void previewWaitTimeout() {}

    /**
     * Counts an event of prepared windows.
     *
     * @param event the event
     */
    default void artifact(ArtifactEvent event) {}
}
