package org.prismpool.payout.state;

/** One batch of share rows on its way to the ledger. Used by the share-writer thread, in a try block. */
public interface AppendTicket extends AutoCloseable {

    /**
     * Tells whether the batch holds the landing fence.
     *
     * @return true if a row predates a live anchor, so that commit and bump must not interleave with a landing
     */
    boolean fenced();

    /**
     * Reports that the rows are durable, or may be: bumps the append epoch if a row predates an anchor that is live
     * now. Does not block.
     */
    void committed();

    /** Lets landings at later anchors go on; without effect the second time. */
    @Override
    void close();
}
