package org.prismpool.sharewriter.read;

import java.time.Instant;
import java.util.List;
import org.prismpool.lifecycle.time.Deadline;

/**
 * Totals of the pool and accepted work over time (lifecycle contract §7.7, pool-summary and hashrate-series).
 *
 * <p>Thread-safe and blocking; failures as in {@link PublicReads}.
 */
public interface PoolStatistics {

    /**
     * Reads the pool's totals.
     *
     * @param deadline end of the read
     * @return totals of one snapshot
     */
    PoolTotals totals(Deadline deadline);

    /**
     * Sums the accepted work of a subject per bucket of time, up to the database's now.
     *
     * @param subject whose work
     * @param range which shares
     * @param deadline end of the read
     * @return buckets with shares only, oldest first
     */
    List<SeriesBucket> series(SeriesSubject subject, SeriesRange range, Deadline deadline);

    /** Whose work a series shows. */
    sealed interface SeriesSubject {}

    /** All miners. */
    record PoolSubject() implements SeriesSubject {}

    /**
     * One miner.
     *
     * @param recipientId miner; one without shares has an empty series
     */
    record MinerSubject(String recipientId) implements SeriesSubject {}

    /**
     * Which shares a series is made of.
     *
     * @param from earliest acceptance, inclusive; {@link Instant#EPOCH} for all shares
     * @param bucketSeconds length of a bucket, 1 or more; buckets begin at its multiples since the Unix epoch
     */
    record SeriesRange(Instant from, int bucketSeconds) {

        /** Checks the bucket. */
        public SeriesRange {
            if (bucketSeconds < 1) {
                throw new IllegalArgumentException("a bucket has 1 second or more");
            }
        }
    }

    /**
     * Work of one bucket.
     *
     * @param epochSeconds begin of the bucket, Unix seconds, a multiple of its length
     * @param work what was accepted in it, at least one share
     */
    record SeriesBucket(long epochSeconds, AcceptedWork work) {}
}
