package org.prismpool.bundle.internal;

import java.util.Optional;
import org.prismpool.bundle.BuildKey;
import org.prismpool.bundle.BundleMode;
import org.prismpool.bundle.CollectionIdentity;
import org.prismpool.templates.chain.Hash256;

/** Key that finished bundles are kept under (spec 07 §1.3). Template generation 0 stands for any, as in ready work. */
record CacheKey(
        String fingerprint,
        Hash256 parent,
        BundleMode mode,
        long templateGeneration,
        long payoutGeneration,
        long windowGeneration,
        Optional<CollectionIdentity> identity) {

    static CacheKey of(BuildKey key) {
        return new CacheKey(
                key.template().fingerprint(),
                key.template().previousBlock(),
                key.mode(),
                key.mode() == BundleMode.READY ? 0 : key.template().generation(),
                key.payout().generation(),
                key.payout().windowGeneration(),
                key.identity());
    }

    CacheKey withWindow(long generation) {
        return new CacheKey(fingerprint, parent, mode, templateGeneration, payoutGeneration, generation, identity);
    }
}
