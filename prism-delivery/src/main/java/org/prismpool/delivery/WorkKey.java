package org.prismpool.delivery;

import java.util.Objects;

/**
 * Identity of a piece of work as delivery compares it (spec 07 §1.3, §3.6).
 *
 * @param tip text of the block hash that the work extends; any one form, compared for equality only
 * @param fingerprint template fingerprint
 * @param templateGeneration template generation
 * @param payoutGeneration payout generation that the coinbase pays
 * @param payoutDigest digest of the prior balances in the coinbase
 * @param appendEpoch append-invalidation epoch; ignored for collection work
 * @param collection true for work of one worker, false for the shared work of a ready pool
 * @param epoch refresh epoch; zero outside the epoch mode and for work of no epoch
 */
public record WorkKey(
        String tip,
        String fingerprint,
        long templateGeneration,
        long payoutGeneration,
        String payoutDigest,
        long appendEpoch,
        boolean collection,
        long epoch) {

    /** Checks the components. */
    public WorkKey {
        Objects.requireNonNull(tip, "tip");
        Objects.requireNonNull(fingerprint, "fingerprint");
        Objects.requireNonNull(payoutDigest, "payoutDigest");
    }
}
