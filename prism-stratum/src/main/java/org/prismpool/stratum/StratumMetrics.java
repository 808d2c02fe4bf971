package org.prismpool.stratum;

import java.util.Optional;
import org.prismpool.stratum.vardiff.ResumeOutcome;

/**
 * Port to the counters of spec 02 §9. Every method does nothing unless overridden.
 *
 * <p>Called on event loops: thread-safe, returns at once. Worker labels are bounded by the caller and already cut.
 */
public interface StratumMetrics {

    /** Counts nothing. */
    StratumMetrics NONE = new StratumMetrics() {};

    /**
     * A submit passed the format checks.
     *
     * @param worker label
     */
    default void submitted(String worker) {}

    /**
     * A share was newly accepted.
     *
     * @param worker label
     * @param lane listener name
     * @param grace whether it was credited for the tip before
     */
    default void accepted(String worker, String lane, boolean grace) {}

    /**
     * A submit was refused.
     *
     * @param reason why
     * @param worker label, empty if no identity is proven
     */
    default void rejected(RejectReason reason, Optional<String> worker) {}

    /**
     * A submit was answered.
     *
     * @param accepted whether with {@code true}
     * @param nanos time from the arrival of the line to the end of the write
     */
    default void shareAckNanos(boolean accepted, long nanos) {}

    /** A solve was not offered because its share was in grace. */
    default void solveDropped() {}

    /** A solve of a collection job was offered. */
    default void collectionSolve() {}

    /**
     * A job that was no longer active was submitted with success.
     *
     * @param outcome how
     */
    default void evictedJobSubmit(EvictedJobOutcome outcome) {}

    /**
     * A connection was refused.
     *
     * @param scope which limit
     */
    default void connectionRefused(LimitScope scope) {}

    /** Descriptors ran out at accept. */
    default void acceptExhausted() {}

    /** The set-up of an admitted connection failed. */
    default void connectionSetupFailed() {}

    /**
     * A connection was closed.
     *
     * @param reason why
     */
    default void disconnected(DisconnectReason reason) {}

    /** A session's reads were paused for a flood of rejected submits. */
    default void rejectThrottled() {}

    /** A job wanted by a retarget or a difficulty request could not be built. */
    default void jobBuildFailed() {}

    /** An idle session was stepped down. */
    default void idleRetarget() {}

    /**
     * An idle sweep ended.
     *
     * @param inspected sessions looked at
     * @param nanos time it took
     */
    default void idleSweep(int inspected, long nanos) {}

    /**
     * An idle session was not stepped down.
     *
     * @param skip why
     */
    default void idleSkipped(IdleSkip skip) {}

    /**
     * An idle step ended.
     *
     * @param nanos time from its start
     * @param failed whether the job could not be built or written
     */
    default void idleTask(long nanos, boolean failed) {}

    /**
     * A remembered difficulty was looked up.
     *
     * @param outcome result
     */
    default void resume(ResumeOutcome outcome) {}

    /**
     * The coinbase exceeded a budget; once per connection and work.
     *
     * @param budget which one
     */
    default void coinbaseBudgetExceeded(CoinbaseBudget budget) {}

    /** How a submit of a replaced job counted. */
    enum EvictedJobOutcome {
        /** Ordinary accept on the same tip. */
        ACCEPTED_SAME_TIP("accepted_same_tip"),
        /** Credited for the tip before. */
        CREDITED_STALE_GRACE("credited_stale_grace"),
        /** Accepted from a new connection of the same username. */
        ACCEPTED_CROSS_CONNECTION("accepted_same_tip_cross_connection");

        private final String label;

        EvictedJobOutcome(String label) {
            this.label = label;
        }

        /**
         * Returns the metric label value.
         *
         * @return lower-case label
         */
        public String label() {
            return label;
        }
    }

    /** Which limit refused a connection. */
    enum LimitScope {
        /** The ceiling over all listeners. */
        GLOBAL,
        /** The ceiling per username. */
        USERNAME,
        /** The ceiling per client address. */
        ADDRESS,
        /** No free extranonce1. */
        EXTRANONCE
    }

    /** Why an idle session was not stepped down; labels of {@code qbit_prism_vardiff_idle_skips_total}. */
    enum IdleSkip {
        /** A job of the session is under way. */
        BUSY,
        /** The connection is gone. */
        DISCONNECTED,
        /** It is not idle any more. */
        NOT_IDLE,
        /** Its work has to be built; informational. */
        CACHE_MISS,
        /** Too many idle steps are under way. */
        QUEUE_FULL,
        /** A step of this session is queued, or newer work is on its way. */
        SUPERSEDED
    }

    /** Which coinbase budget was exceeded; labels of {@code qbit_prism_stratum_coinbase_budget_exceeded_total}. */
    enum CoinbaseBudget {
        /** The listener's configured budget. */
        LISTENER,
        /** Agents of the NiceHash market. */
        NICEHASH,
        /** Small devices. */
        SMALL,
        /** All other agents. */
        STANDARD
    }
}
