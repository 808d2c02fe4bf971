package org.prismpool.sharewriter.read;

import java.math.BigInteger;
import org.prismpool.lifecycle.time.Deadline;

/** Queries behind public pages and gauges, on read connections only. Thread-safe. */
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
}
