package org.prismpool.delivery;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The published tip, as retention needs it.
 *
 * @param tip the tip
 * @param parent its parent on the chain, once known
 * @param flipNanos monotonic instant at which it replaced another tip; empty for the first tip of a process
 */
public record TipChange(String tip, Optional<String> parent, OptionalLong flipNanos) {

    /** Checks the components. */
    public TipChange {
        Objects.requireNonNull(tip, "tip");
        Objects.requireNonNull(parent, "parent");
        Objects.requireNonNull(flipNanos, "flipNanos");
    }
}
