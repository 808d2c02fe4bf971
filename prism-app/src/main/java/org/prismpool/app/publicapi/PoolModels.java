package org.prismpool.app.publicapi;

import org.prismpool.app.publicapi.query.LeaderboardQuery;
import org.prismpool.app.publicapi.query.SeriesQuery;
import org.prismpool.lifecycle.time.Deadline;

/**
 * Port to the documents about the whole pool. Thread-safe; blocks on the ledger and the node until the deadline. Any exception that
 * is not named below becomes a 500 without its text.
 */
public interface PoolModels {

    /**
     * Returns {@code /pool-summary}.
     *
     * @param deadline end of all reads
     * @return the document
     * @throws UpstreamUnavailableException if the node does not answer or names no valid compact target
     */
    PublicBody summary(Deadline deadline);

    /**
     * Returns {@code /hashrate-series}.
     *
     * @param query what is asked for
     * @param deadline end of all reads
     * @return the document
     */
    PublicBody hashrateSeries(SeriesQuery query, Deadline deadline);

    /**
     * Returns {@code /leaderboard}.
     *
     * @param query what is asked for
     * @param deadline end of all reads
     * @return the document of either version
     * @throws UpstreamUnavailableException if the reward window needs the node and it does not answer
     */
    PublicBody leaderboard(LeaderboardQuery query, Deadline deadline);
}
