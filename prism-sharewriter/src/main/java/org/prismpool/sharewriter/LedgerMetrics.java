package org.prismpool.sharewriter;

import java.time.Duration;

/** Port for the ledger's numbers. Thread-safe, must not block. */
public interface LedgerMetrics {

    /** Numbers nobody reads. */
    LedgerMetrics NONE = new LedgerMetrics() {};

    /** Deadline class of a ledger call of block work. */
    enum CallClass {
        /** Outbox polls and marks. */
        FAST("fast"),
        /** Landing, confirmation, disposal. */
        LANDING("landing");

        private final String label;

        CallClass(String label) {
            this.label = label;
        }

        /**
         * Returns the label value.
         *
         * @return label
         */
        public String label() {
            return label;
        }
    }

    /**
     * A ledger call of block work ended.
     *
     * @param callClass its class
     * @param budget time it had
     * @param took time it took
     * @param timedOut true if the deadline ended it
     */
    default void blockCall(CallClass callClass, Duration budget, Duration took, boolean timedOut) {}

    /**
     * Prior balances were read.
     *
     * @param took time of the read
     */
    default void priorBalancesRead(Duration took) {}
}
