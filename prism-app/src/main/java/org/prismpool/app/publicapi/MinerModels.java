package org.prismpool.app.publicapi;

import org.prismpool.app.publicapi.query.Page;
import org.prismpool.app.publicapi.query.WorkersQuery;
import org.prismpool.lifecycle.time.Deadline;

/**
 * Port to the documents about one miner; an unknown one has zeros and empty lists. Thread-safe; blocks on the ledger and the node
 * until the deadline. Any exception that is not named below becomes a 500 without its text.
 */
public interface MinerModels {

    /**
     * Returns {@code /miners/{recipient}}.
     *
     * @param recipient recipient, trimmed, 1 to 256 characters
     * @param deadline end of all reads
     * @return the document
     * @throws UpstreamUnavailableException if the node does not answer or names no valid compact target
     */
    PublicBody miner(String recipient, Deadline deadline);

    /**
     * Returns {@code /miners/{recipient}/earnings}.
     *
     * @param recipient recipient, trimmed, 1 to 256 characters
     * @param page part of the list
     * @param deadline end of all reads
     * @return the document
     */
    PublicBody earnings(String recipient, Page page, Deadline deadline);

    /**
     * Returns {@code /miners/{recipient}/payouts}.
     *
     * @param recipient recipient, trimmed, 1 to 256 characters
     * @param page part of the list
     * @param deadline end of all reads
     * @return the document
     */
    PublicBody payouts(String recipient, Page page, Deadline deadline);

    /**
     * Returns {@code /miners/{recipient}/workers}.
     *
     * @param query what is asked for
     * @param deadline end of all reads
     * @return the document
     */
    PublicBody workers(WorkersQuery query, Deadline deadline);
}
