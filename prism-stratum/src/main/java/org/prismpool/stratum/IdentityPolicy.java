package org.prismpool.stratum;

import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;

/**
 * Names, fallbacks and weights of workers.
 *
 * @param fallbackAddress address credited when a username's base cannot be paid, or empty to refuse the name (spec 02 §4.3)
 * @param weights credited difficulty by username or payout address instead of the job's, each 1 or more (spec 02 §6.4)
 * @param workerLabels bound of distinct worker labels in metrics
 */
public record IdentityPolicy(Optional<String> fallbackAddress, Map<String, BigInteger> weights, int workerLabels) {

    /** Copies the map and checks the ranges. */
    public IdentityPolicy {
        weights = Map.copyOf(weights);
        if (workerLabels < 0 || weights.values().stream().anyMatch(w -> w.signum() <= 0)) {
            throw new IllegalArgumentException("label bound or weight out of range");
        }
    }

    /**
     * Returns the documented defaults: no fallback, no weights, 100 labels.
     *
     * @return the default policy
     */
    public static IdentityPolicy defaults() {
        return new IdentityPolicy(Optional.empty(), Map.of(), 100);
    }
}
