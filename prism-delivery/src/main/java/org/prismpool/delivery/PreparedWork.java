package org.prismpool.delivery;

import java.util.Objects;

/**
 * Work that can be turned into a job for a connection. Immutable; shared by all connections that get it.
 *
 * @param key its identity
 * @param work the opaque work
 * @param <W> the work's type
 */
public record PreparedWork<W>(WorkKey key, W work) {

    /** Checks the components. */
    public PreparedWork {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(work, "work");
    }
}
