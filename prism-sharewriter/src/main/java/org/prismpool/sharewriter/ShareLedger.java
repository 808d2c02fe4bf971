package org.prismpool.sharewriter;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.prismpool.lifecycle.time.Deadline;

/**
 * Port to the durable, ordered record of accepted shares, the only thing that miners are paid from.
 *
 * <p>Appends come from one thread at a time; reads are thread-safe. Every method blocks on the database.
 */
public interface ShareLedger {

    /**
     * Appends a batch in one transaction, in order, and returns once it survives a crash of the database.
     *
     * <p>Each entry gets its own outcome: a conflicting entry does not disturb the others. An id repeated inside the
     * batch resolves to one row and replays. Repeating the call is safe.
     *
     * @param batch entries in acknowledgement order, not empty
     * @return one result per entry, same order; never {@link AppendResult.Failed}
     * @throws WriterFencedException if the lease is not ours; nothing written
     * @throws LedgerUnavailableException if the connection broke; the outcome is unknown
     * @throws LedgerDeadlineException if the server cancelled the transaction; nothing written
     * @throws LedgerRefusedException if the server refused it (disk full, read only, bad data); nothing written
     */
    List<AppendResult> append(List<AppendEntry> batch);

    /**
     * Counts all accepted shares; cost grows with the history.
     *
     * @param deadline end of the read
     * @return totals of one snapshot
     */
    ShareTotals totals(Deadline deadline);

    /**
     * Returns every miner id that ever had an accepted share; cost grows with their number only.
     *
     * @param deadline end of the read
     * @return ids
     */
    Set<String> miners(Deadline deadline);

    /**
     * Looks a share up.
     *
     * @param shareId exact id
     * @param deadline end of the read
     * @return the durable row, empty if there is none
     */
    Optional<StoredShare> find(String shareId, Deadline deadline);
}
