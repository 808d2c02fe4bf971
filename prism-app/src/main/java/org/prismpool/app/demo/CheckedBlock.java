package org.prismpool.app.demo;

import java.util.List;

/**
 * An accounted block after its check.
 *
 * @param hash display hash
 * @param height height
 * @param payouts its coinbase payouts in output order
 * @param problems what does not hold; empty for a good block
 */
public record CheckedBlock(String hash, long height, List<Payout> payouts, List<String> problems) {

    /**
     * One payout.
     *
     * @param address recipient
     * @param amountSats amount
     */
    public record Payout(String address, long amountSats) {}

    /** Copies the lists. */
    public CheckedBlock {
        payouts = List.copyOf(payouts);
        problems = List.copyOf(problems);
    }

    /**
     * Tells whether every check holds.
     *
     * @return true without problems
     */
    public boolean good() {
        return problems.isEmpty();
    }
}
