package org.prismpool.sharewriter.lease;

/** Another writer holds an unexpired lease: this process must not start. */
public final class LeaseHeldElsewhereException extends RuntimeException {

    /**
     * Creates the failure in the contract's words.
     *
     * @param holder who holds the lease
     */
    public LeaseHeldElsewhereException(LeaseHolder holder) {
        super("qbit ledger writer lease is held by " + holder.writerId() + " epoch=" + holder.epoch() + " session="
                + holder.sessionToken() + " until " + holder.expiresAt());
    }
}
