package org.prismpool.payout.reorg;

import java.util.OptionalLong;

/**
 * What one pass did.
 *
 * @param watched rows it looked at
 * @param inactive blocks marked inactive
 * @param reactivated blocks reactivated
 * @param reinstated rejected blocks reinstated
 * @param maturedPayouts payout entries that matured
 * @param strandedRejected stranded prepared rows rejected
 * @param strandedCanonical stranded prepared rows on the chain, left for an operator
 * @param publishedGeneration payout generation published by the pass
 */
public record ReconcileSummary(
        int watched,
        int inactive,
        int reactivated,
        int reinstated,
        int maturedPayouts,
        int strandedRejected,
        int strandedCanonical,
        OptionalLong publishedGeneration) {

    /** A pass that found nothing to do. */
    public static final ReconcileSummary NOTHING = new ReconcileSummary(0, 0, 0, 0, 0, 0, 0, OptionalLong.empty());

    /**
     * Tells whether rows changed.
     *
     * @return true if balances may have moved
     */
    public boolean changed() {
        return inactive + reactivated + reinstated + maturedPayouts + strandedRejected > 0;
    }

    ReconcileSummary published(long generation) {
        return new ReconcileSummary(
                watched,
                inactive,
                reactivated,
                reinstated,
                maturedPayouts,
                strandedRejected,
                strandedCanonical,
                OptionalLong.of(generation));
    }
}
