package org.prismpool.payout.state;

/**
 * Consistent copy of the payout gate for decisions and health.
 *
 * @param published current payout state
 * @param source current payout source
 * @param fenced whether the publication fence is closed
 * @param reservedGeneration generation that waits for its first delivered priority delivery, or -1
 * @param publishing whether a publisher drains or swaps
 * @param activeDeliveries deliveries admitted and not finished, counted a moment after the rest was read
 */
public record PayoutSnapshot(
        PublishedPayout published,
        PayoutSource source,
        boolean fenced,
        long reservedGeneration,
        boolean publishing,
        int activeDeliveries) {

    /**
     * Tells whether work may be published: the fence is open and the published source is the current one.
     *
     * @return false while a publication is outstanding
     */
    public boolean open() {
        return !fenced && published.sourceGeneration() == source.generation();
    }
}
