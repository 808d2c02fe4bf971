package org.prismpool.payout.finalization;

/** What the ledger said to a confirmation. */
public sealed interface Confirmation {

    /**
     * The block is confirmed, now or by an earlier call.
     *
     * @param publicationSequence its ordinal, 1 or more
     */
    record Confirmed(long publicationSequence) implements Confirmation {

        /** Checks the ordinal. */
        public Confirmed {
            if (publicationSequence < 1) {
                throw new IllegalArgumentException("a confirmed block has an ordinal");
            }
        }
    }

    /** The row was already disposed of: rejected, reversed or taken off the chain. */
    record Superseded() implements Confirmation {}

    /** No row changed, and nothing explains why. */
    record Unexplained() implements Confirmation {}
}
