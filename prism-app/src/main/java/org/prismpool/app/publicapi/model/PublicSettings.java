package org.prismpool.app.publicapi.model;

/**
 * What an operator chooses to show. Source: spec 08 §7.5.
 *
 * @param poolName name of the pool
 * @param feeBps displayed pool fee, 0 to 10 000 basis points
 * @param minimumPayoutBits displayed payout minimum in the smallest unit, 0 or more
 * @param smoothingSeconds trailing window of hash-rate points, 0 for none
 * @param explorer links to a block explorer
 */
public record PublicSettings(
        String poolName, int feeBps, long minimumPayoutBits, int smoothingSeconds, ExplorerLinks explorer) {

    private static final int WHOLE_BPS = 10_000;

    /** Checks the ranges. */
    public PublicSettings {
        if (feeBps < 0 || feeBps > WHOLE_BPS || minimumPayoutBits < 0 || smoothingSeconds < 0) {
            throw new IllegalArgumentException("a public setting is out of its range");
        }
    }
}
