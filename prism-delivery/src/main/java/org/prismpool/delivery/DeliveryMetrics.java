package org.prismpool.delivery;

/** Port for counts and durations of this module (spec 07 appendix A). Thread-safe; nothing is counted by default. */
public interface DeliveryMetrics {

    /**
     * First-job requests ended or were joined.
     *
     * @param result how
     */
    default void firstJob(FirstJobResult result) {}

    /**
     * A first job was delivered.
     *
     * @param nanos time from the request
     */
    default void firstJobDelivered(long nanos) {}

    /** A first-job request was refused because the pending set was full. */
    default void firstJobRejected() {}

    /** A first-job request timed out. */
    default void firstJobTimedOut() {}

    /** A cancelled first-job request gave its queue place back. */
    default void queueCapacityReclaimed() {}

    /**
     * An obsolete fan-out delivery was stopped.
     *
     * @param stage where it stood
     */
    default void cancelled(Stage stage) {}

    /** A silent connection got its current work again. */
    default void keptAlive() {}

    /** A preparation or a stamp failed. */
    default void buildFailed() {}

    /**
     * One delivery ended.
     *
     * @param nanos time from its start
     */
    default void delivery(long nanos) {}

    /**
     * Time spent in a stage of a delivery.
     *
     * @param stage the stage
     * @param nanos how long
     */
    default void stage(Stage stage, long nanos) {}

    /**
     * A retained job expired.
     *
     * @param sameTip its class
     */
    default void retainedExpired(boolean sameTip) {}

    /**
     * A retained job was evicted by a bound.
     *
     * @param disconnected true for the pool-wide bound of detached jobs, false for a connection's
     */
    default void retainedEvicted(boolean disconnected) {}

    /**
     * Hashrate coverage of an epoch was reached.
     *
     * @param percent 50, 95 or 99
     * @param nanos time from the mint of the epoch
     */
    default void coverage(int percent, long nanos) {}

    /** How a first-job request ended. */
    enum FirstJobResult {
        /** Delivered. */
        SENT,
        /** Withdrawn. */
        CANCELLED,
        /** Joined to an equal request. */
        COALESCED,
        /** Failed for good. */
        FAILED,
        /** Replaced by a newer request of its connection. */
        SUPERSEDED
    }

    /** Stages of a delivery. */
    enum Stage {
        /** Waiting for submission. */
        EXECUTOR_QUEUE,
        /** Waiting for the connection's delivery slot. */
        CLIENT_LOCK,
        /** Waiting for the payout gate. */
        PAYOUT_GATE,
        /** Stamping and registering on the event loop. */
        STAMP,
        /** From handing the pair over to its last byte. */
        SOCKET_SEND
    }
}
