package org.prismpool.sharewriter;

import java.math.BigInteger;

/**
 * An accepted share that is not yet in the ledger (ledger contract §2.1).
 *
 * @param shareId idempotency key, {@code <username>:<block hash of the submitted header>}, hash in lower case
 * @param minerId payout address as authorised
 * @param orderKey key that orders recipients in payouts
 * @param program payout program of the address
 * @param shareDifficulty credited ledger weight, above 0, at most 78 digits
 * @param networkDifficulty scaled network difficulty of the share's template, above 0, at most 78 digits
 * @param templateHeight template height − 1: height of the parent, 0 or more
 * @param jobId job that was solved
 * @param jobIssuedAtMs Unix milliseconds at which the job was issued
 * @param acceptedAtMs Unix milliseconds at which the share was accepted; not part of the share's identity
 * @param ntime time field of the submitted header, 0 or more
 * @param creditPolicy rule under which it is credited
 */
public record PendingShare(
        String shareId,
        String minerId,
        String orderKey,
        P2mrProgram program,
        BigInteger shareDifficulty,
        BigInteger networkDifficulty,
        long templateHeight,
        String jobId,
        long jobIssuedAtMs,
        long acceptedAtMs,
        long ntime,
        CreditPolicy creditPolicy) {

    private static final BigInteger LIMIT = BigInteger.TEN.pow(78);

    /** Checks the ranges of the contract, so that no row can make a whole batch fail in the database. */
    public PendingShare {
        requireText(shareId, "share_id");
        requireText(minerId, "miner_id");
        requireText(orderKey, "order_key");
        requireText(jobId, "job_id");
        requireDifficulty(shareDifficulty, "share_difficulty");
        requireDifficulty(networkDifficulty, "network_difficulty");
        if (templateHeight < 0) {
            throw new IllegalArgumentException("template_height must be non-negative");
        }
        if (ntime < 0) {
            throw new IllegalArgumentException("ntime must be non-negative");
        }
    }

    /**
     * Tells whether another share is an exact replay of this one: everything equal except the time of acceptance.
     *
     * @param other share with the same or another id
     * @return true if both stand for the same work
     */
    public boolean isReplayOf(PendingShare other) {
        return shareId.equals(other.shareId)
                && minerId.equals(other.minerId)
                && orderKey.equals(other.orderKey)
                && program.equals(other.program)
                && shareDifficulty.equals(other.shareDifficulty)
                && networkDifficulty.equals(other.networkDifficulty)
                && templateHeight == other.templateHeight
                && jobId.equals(other.jobId)
                && jobIssuedAtMs == other.jobIssuedAtMs
                && ntime == other.ntime
                && creditPolicy == other.creditPolicy;
    }

    /**
     * Tells whether a reward window at the anchor contains this share once it is durable (ledger contract §4.1).
     *
     * @param anchorMs anchor in Unix milliseconds, inclusive
     * @return true if job and acceptance are not later than the anchor
     */
    public boolean predates(long anchorMs) {
        return jobIssuedAtMs <= anchorMs && acceptedAtMs <= anchorMs;
    }

    private static void requireText(String value, String name) {
        if (value.isEmpty() || value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(name + " must be non-empty and free of NUL");
        }
    }

    private static void requireDifficulty(BigInteger value, String name) {
        if (value.signum() <= 0 || value.compareTo(LIMIT) >= 0) {
            throw new IllegalArgumentException(name + " must be positive and have at most 78 digits");
        }
    }
}
