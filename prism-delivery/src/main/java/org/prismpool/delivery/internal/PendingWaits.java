package org.prismpool.delivery.internal;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** Waits of deliveries that somebody must look at again: polled by the timer at least every 50 ms. Thread-safe. */
final class PendingWaits {

    private final Set<BooleanSupplier> waits = ConcurrentHashMap.newKeySet();

    /**
     * Adds a wait.
     *
     * @param poll looks once, never blocks; true when it need not look again
     */
    void add(BooleanSupplier poll) {
        waits.add(poll);
    }

    /** Looks at every wait once. */
    void poll() {
        waits.removeIf(BooleanSupplier::getAsBoolean);
    }

    boolean isEmpty() {
        return waits.isEmpty();
    }
}
