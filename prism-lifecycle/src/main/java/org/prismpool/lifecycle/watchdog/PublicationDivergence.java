package org.prismpool.lifecycle.watchdog;

import java.util.OptionalLong;

/** Port to the age of unpublished work. Thread-safe; called under the watchdog's coordination lock, must not block. */
@FunctionalInterface
public interface PublicationDivergence {

    /**
     * Tells since when the newest known work has not been the published work.
     *
     * @return monotonic nanoseconds of the earliest unresolved change, or empty if they agree
     */
    OptionalLong divergenceSinceNanos();
}
