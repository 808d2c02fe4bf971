package org.prismpool.sharewriter.read;

import org.prismpool.lifecycle.time.Deadline;

/**
 * One miner's pages (lifecycle contract §7.7, miner, earnings, payouts, workers). A recipient that the ledger does not
 * know has zeros and empty pages.
 *
 * <p>Thread-safe and blocking; failures as in {@link PublicReads}.
 */
public interface MinerReads {

    /**
     * Reads the miner's accepted work.
     *
     * @param recipientId miner
     * @param deadline end of the read
     * @return work over every window, and the newest share
     */
    MinerActivity activity(String recipientId, Deadline deadline);

    /**
     * Reads what the miner is owed and has earned.
     *
     * @param recipientId miner
     * @param deadline end of the read
     * @return amounts of one snapshot
     */
    MinerAccount account(String recipientId, Deadline deadline);

    /**
     * Reads what the miner earned per block, by height descending, later rows first; reversed rows and blocks are left
     * out.
     *
     * @param recipientId miner
     * @param page page
     * @param deadline end of the read
     * @return rows of the page
     */
    Paged<MinerEarning> earnings(String recipientId, PageRequest page, Deadline deadline);

    /**
     * Reads how the miner was paid per block, by height descending, later rows first; reversed rows and blocks are left
     * out.
     *
     * @param recipientId miner
     * @param page page
     * @param deadline end of the read
     * @return rows of the page
     */
    Paged<MinerPayout> payouts(String recipientId, PageRequest page, Deadline deadline);

    /**
     * Reads the miner's workers with a share within the last three hours, active ones first, then by name.
     *
     * @param recipientId miner
     * @param filter which of them
     * @param page page of those
     * @param deadline end of the read
     * @return workers of the page
     */
    WorkerBoard workers(String recipientId, WorkerFilter filter, PageRequest page, Deadline deadline);

    /**
     * Which workers to list.
     *
     * @param search text that the name must contain, in either case; empty for all
     * @param activeOnly whether workers without a share within the last ten minutes are left out
     */
    record WorkerFilter(String search, boolean activeOnly) {

        /** All workers. */
        public static final WorkerFilter ALL = new WorkerFilter("", false);
    }
}
