package org.prismpool.sharewriter.internal;

import org.prismpool.sharewriter.ShareWriterConfig;

/**
 * Decides how large a batch gets and whether a small one waits to grow. Pure.
 *
 * <p>An idle writer commits at once. Under load the commit itself is the time in which the next batch gathers; only when
 * that left a batch much smaller than the last one, it waits a fraction of a commit, never longer than the linger.
 */
public final class BatchPolicy {

    private static final int SHARE_OF_COMMIT = 8;

    private final ShareWriterConfig config;

    /**
     * Creates the policy.
     *
     * @param config sizes and linger
     */
    public BatchPolicy(ShareWriterConfig config) {
        this.config = config;
    }

    /**
     * Returns the largest batch for the present backlog.
     *
     * @param waiting entries in the queue
     * @return entries to take at most
     */
    public int limit(int waiting) {
        return waiting > config.batchSize() ? config.burstBatchSize() : config.batchSize();
    }

    /**
     * Returns how long a batch may wait for more entries.
     *
     * @param waiting entries in the queue, 1 or more
     * @param previousBatch entries of the last batch, 0 if the writer was idle before
     * @param previousCommitNanos time of the last commit
     * @return nanoseconds, 0 for a commit at once
     */
    public long gatherNanos(int waiting, int previousBatch, long previousCommitNanos) {
        if (previousBatch < 4 || waiting * 4 > previousBatch) {
            return 0;
        }
        return Math.min(config.linger().toNanos(), previousCommitNanos / SHARE_OF_COMMIT);
    }
}
