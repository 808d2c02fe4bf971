package org.prismpool.sharewriter.read;

import java.math.BigInteger;
import org.prismpool.lifecycle.time.Deadline;

/**
 * Queries behind public pages and gauges, on read connections only: never the writer's lock or connection.
 *
 * <p>Thread-safe and blocking. Each call is one snapshot of the ledger. Times are the database's, to the microsecond;
 * amounts are in base units; rates, percents and texts are the caller's affair. Every read throws
 * {@link org.prismpool.sharewriter.LedgerDeadlineException} when its deadline passes and
 * {@link org.prismpool.sharewriter.LedgerUnavailableException} when the database cannot be reached.
 */
public interface PublicReads {

    /**
     * Aggregates the reward window of now; one scan serves everyone for the cache's time.
     *
     * @param networkDifficulty scaled network difficulty; negative counts as 0
     * @param deadline end of the read
     * @return the aggregate, at most the cache's time old, and for exactly this difficulty
     */
    RewardWindowAggregate rewardWindow(BigInteger networkDifficulty, Deadline deadline);

    /**
     * Counts block rows and owed accounts.
     *
     * @param deadline end of the read
     * @return numbers
     */
    BlockCounts blockCounts(Deadline deadline);

    /**
     * Returns the totals of the pool and its work over time.
     *
     * @return read models
     */
    PoolStatistics pool();

    /**
     * Returns the boards of miners.
     *
     * @return read models
     */
    Leaderboards leaderboards();

    /**
     * Returns the landed blocks.
     *
     * @return read models
     */
    FoundBlocks blocks();

    /**
     * Returns the pages of one miner.
     *
     * @return read models
     */
    MinerReads miners();

    /**
     * Returns the settlements and their documents.
     *
     * @return read models
     */
    SettlementReads settlements();
}
