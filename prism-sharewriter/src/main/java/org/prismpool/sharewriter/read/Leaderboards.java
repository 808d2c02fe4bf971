package org.prismpool.sharewriter.read;

import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.prismpool.lifecycle.time.Deadline;

/**
 * Miners by their work (lifecycle contract §7.7, leaderboard). The board of the reward window is made of
 * {@link PublicReads#rewardWindow} and {@link #blocksFound}.
 *
 * <p>Thread-safe and blocking; failures as in {@link PublicReads}.
 */
public interface Leaderboards {

    /**
     * Ranks the miners of the last three hours, by difficulty descending, then recipient ascending.
     *
     * @param search text that a recipient must contain, in either case; empty for everyone
     * @param page page of the ranked miners
     * @param deadline end of the read
     * @return the page, with totals of everyone who matches the search
     */
    RecentBoard recent(String search, PageRequest page, Deadline deadline);

    /**
     * Counts the blocks that each recipient's shares solved, of all landed blocks that were not reversed.
     *
     * @param deadline end of the read
     * @return blocks per recipient; absent means 0
     */
    Map<String, Long> blocksFound(Deadline deadline);

    /**
     * Board of the last three hours.
     *
     * @param startedAt begin of the window, inclusive
     * @param endedAt end of the window, inclusive: the database's clock at the read
     * @param totalDifficulty accepted difficulty of all matching miners
     * @param participants matching miners, which is the number of rows of all pages
     * @param rows rows of the page, by rank
     */
    record RecentBoard(
            Instant startedAt, Instant endedAt, BigInteger totalDifficulty, long participants, List<RankedMiner> rows) {

        /** Copies the list. */
        public RecentBoard {
            rows = List.copyOf(rows);
        }
    }

    /**
     * One miner of the board.
     *
     * @param rank place among the matching miners, from 1
     * @param recipientId miner
     * @param work accepted work within the window, at least one share
     * @param blocksFound blocks that the miner ever solved, without reversed ones
     * @param lastShareAt acceptance of the newest share
     */
    record RankedMiner(long rank, String recipientId, AcceptedWork work, long blocksFound, Instant lastShareAt) {}
}
