package org.prismpool.sharewriter.balance;

import org.prismpool.lifecycle.time.Deadline;

/**
 * Checks and repairs the carried balances. Reads run on a read connection and stream the journal.
 *
 * <p>Thread-safe. Time and memory follow the number of active rows, so this is for operators, not for polling.
 */
public interface CarryIntegrity {

    /**
     * Checks every active row and the maintained summary in one snapshot.
     *
     * @param deadline end of the read
     * @return the report
     */
    IntegrityReport report(Deadline deadline);

    /**
     * Rebuilds the maintained balances from the journal; fenced.
     *
     * @param deadline end of the transaction
     * @return partitions written
     * @throws org.prismpool.sharewriter.WriterFencedException if the lease is not ours
     */
    long rebuild(Deadline deadline);
}
