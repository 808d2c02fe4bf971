package org.prismpool.stratum;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.templates.chain.Hash256;

/**
 * What is known of the chain tip without asking the node, read in one piece (spec 02 §7.3, 07 §2.10).
 *
 * @param published tip whose replacement work is published, or empty before the first
 * @param confirmedAtNanos monotonic time at which the published tip was last confirmed
 * @param changed whether the published tip replaced another one; the first tip of a process is a baseline
 * @param detected newest tip seen, equal to the published one unless its work is not ready yet
 * @param divergedSinceNanos monotonic start of the first unpublished difference, or empty
 */
public record TipSnapshot(
        Optional<Hash256> published,
        long confirmedAtNanos,
        boolean changed,
        Optional<Hash256> detected,
        OptionalLong divergedSinceNanos) {

    /** No tip known yet. */
    public static final TipSnapshot NONE =
            new TipSnapshot(Optional.empty(), 0, false, Optional.empty(), OptionalLong.empty());

    /**
     * Creates a snapshot of a published tip without a newer one.
     *
     * @param tip the tip
     * @param confirmedAtNanos monotonic time of its last confirmation
     * @param changed whether it replaced another tip
     * @return the snapshot
     */
    public static TipSnapshot published(Hash256 tip, long confirmedAtNanos, boolean changed) {
        return new TipSnapshot(Optional.of(tip), confirmedAtNanos, changed, Optional.of(tip), OptionalLong.empty());
    }

    /**
     * Tells whether a tip was seen whose work is not published.
     *
     * @return true while detected and published differ
     */
    public boolean diverged() {
        return detected.isPresent() && !detected.equals(published);
    }

    /**
     * Tells whether the published tip decides about submits without asking the node.
     *
     * @param nowNanos monotonic time now
     * @param maxAge age up to which a confirmation counts; zero means never
     * @param lease time from the first divergence during which the published tip keeps deciding; zero means none
     * @return true if it decides
     */
    public boolean authoritative(long nowNanos, Duration maxAge, Duration lease) {
        if (maxAge.isZero() || published.isEmpty()) {
            return false;
        }
        if (nowNanos - confirmedAtNanos <= maxAge.toNanos()) {
            return true;
        }
        return diverged()
                && !lease.isZero()
                && divergedSinceNanos.isPresent()
                && nowNanos - divergedSinceNanos.getAsLong() <= lease.toNanos();
    }
}
