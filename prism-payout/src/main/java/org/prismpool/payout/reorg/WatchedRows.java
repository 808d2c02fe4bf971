package org.prismpool.payout.reorg;

import java.util.List;
import org.prismpool.lifecycle.time.Deadline;

/** Port to the rows that a pass reads. Called on the thread of a pass; blocks until the deadline. */
public interface WatchedRows {

    /**
     * Reads every confirmed or inactive row that is immature.
     *
     * @param deadline latest end
     * @return ordered by height and hash
     */
    List<WatchedBlock> immature(Deadline deadline);

    /**
     * Reads rejected rows above a height.
     *
     * @param aboveHeight exclusive bound
     * @param deadline latest end
     * @return ordered by height and hash
     */
    List<WatchedBlock> rejected(long aboveHeight, Deadline deadline);

    /**
     * Reads prepared rows whose candidate has no pending outbox row.
     *
     * @param maxHeight largest height
     * @param limit most rows
     * @param deadline latest end
     * @return ordered by height and hash
     */
    List<WatchedBlock> strandedPrepared(long maxHeight, int limit, Deadline deadline);

    /**
     * Reads the newest mature rows.
     *
     * @param limit most rows
     * @param deadline latest end
     * @return newest first; their state is confirmed
     */
    List<WatchedBlock> newestMature(int limit, Deadline deadline);
}
