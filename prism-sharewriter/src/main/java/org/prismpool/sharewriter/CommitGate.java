package org.prismpool.sharewriter;

import java.util.List;

/**
 * Port to whoever must know before and after a batch becomes durable: the append epoch and landing fence of payouts.
 *
 * <p>Called on the writer thread.
 */
@FunctionalInterface
public interface CommitGate {

    /** A gate that is always open. */
    CommitGate OPEN = shares -> new Passage() {
        @Override
        public void committed(List<PendingShare> shares) {}

        @Override
        public void close() {}
    };

    /**
     * Waits until the batch may be committed; may take the landing fence for a batch that predates a live anchor.
     *
     * @param shares shares of the batch, in order
     * @return the passage, closed after the commit whatever became of it
     */
    Passage enter(List<PendingShare> shares);

    /** One batch on its way through the gate. */
    interface Passage extends AutoCloseable {

        /**
         * The batch is durable; called before anyone is told.
         *
         * @param shares shares that became durable by it
         */
        void committed(List<PendingShare> shares);

        /** The batch is over. */
        @Override
        void close();
    }
}
