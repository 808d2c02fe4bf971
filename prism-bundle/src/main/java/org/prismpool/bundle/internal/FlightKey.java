package org.prismpool.bundle.internal;

import java.util.Objects;
import java.util.Optional;
import org.prismpool.bundle.BundleMode;

/**
 * What the scheduler compares of a build; opaque values with equality.
 *
 * @param mode ready or collection
 * @param cacheKey key that finished work is found under
 * @param equivalenceKey key that makes two builds the same build
 * @param sansIdentity equivalence key without the payout identity
 * @param identity payout identity of collection work
 */
record FlightKey(BundleMode mode, Object cacheKey, Object equivalenceKey, Object sansIdentity, Optional<?> identity) {

    FlightKey {
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(cacheKey, "cacheKey");
        Objects.requireNonNull(equivalenceKey, "equivalenceKey");
        Objects.requireNonNull(sansIdentity, "sansIdentity");
        Objects.requireNonNull(identity, "identity");
    }

    boolean ready() {
        return mode == BundleMode.READY;
    }

    /** One result serves both: the same build, or ready builds that differ in the template's clock only. */
    boolean shareable(FlightKey other) {
        return equivalenceKey.equals(other.equivalenceKey)
                || (ready() && other.ready() && cacheKey.equals(other.cacheKey));
    }

    /** The same collection work for two payout identities: neither supersedes the other. */
    boolean peers(FlightKey other) {
        return !ready()
                && !other.ready()
                && !identity.equals(other.identity)
                && sansIdentity.equals(other.sansIdentity);
    }
}
