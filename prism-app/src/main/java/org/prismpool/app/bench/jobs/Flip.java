package org.prismpool.app.bench.jobs;

import java.util.List;

/**
 * One tip change, in nanoseconds from the moment that the node had the new tip.
 *
 * @param deliveries until each client had work on it
 * @param wall until the refresh was over
 * @param floor part of the wall time in which at least one injected wait was running
 * @param lastFloor the same up to the last delivery
 */
record Flip(List<Long> deliveries, long wall, long floor, long lastFloor) {

    Flip {
        deliveries = List.copyOf(deliveries);
    }

    long first() {
        return deliveries.stream().mapToLong(Long::longValue).min().orElseThrow();
    }

    long last() {
        return deliveries.stream().mapToLong(Long::longValue).max().orElseThrow();
    }

    /** What no injected wait explains. */
    long overhead() {
        return wall - floor;
    }

    long lastOverhead() {
        return last() - lastFloor;
    }

    long span() {
        return last() - first();
    }
}
