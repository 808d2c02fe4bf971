package org.prismpool.refresh;

import java.util.Objects;
import java.util.Optional;

/**
 * What the pool stands for: a snapshot and, for a ready pool, the one bundle built from it. Published as one.
 *
 * @param snapshot the template observation
 * @param bundle the shared bundle; empty while the pool hands out collection work
 * @param epoch sequence of the epoch that the work was published under; zero when it belongs to none
 * @param <T> the template's type
 * @param <W> the bundle's type
 */
public record PublishedWork<T, W>(TemplateSnapshot<T> snapshot, Optional<BuiltWork<T, W>> bundle, long epoch) {

    /** Checks the components. */
    public PublishedWork {
        Objects.requireNonNull(snapshot, "snapshot");
        Objects.requireNonNull(bundle, "bundle");
    }
}
