package org.prismpool.refresh;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.templates.chain.Hash256;

/**
 * The tip that shares are classified against.
 *
 * @param hash the tip
 * @param parent its parent on the chain, once known; cleanup metadata only
 * @param flipNanos monotonic instant at which it replaced another tip; empty for the first tip of this process, which
 *     therefore never opens the stale grace
 * @param observationSequence observation that it was published from
 * @param observedNanos monotonic instant of the last live observation that agreed with it
 */
public record PublishedTip(
        Hash256 hash, Optional<Hash256> parent, OptionalLong flipNanos, long observationSequence, long observedNanos) {

    /** Checks the components. */
    public PublishedTip {
        Objects.requireNonNull(hash, "hash");
        Objects.requireNonNull(parent, "parent");
        Objects.requireNonNull(flipNanos, "flipNanos");
    }
}
