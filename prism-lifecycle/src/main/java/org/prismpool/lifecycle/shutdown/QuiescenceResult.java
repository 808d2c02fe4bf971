package org.prismpool.lifecycle.shutdown;

import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Outcome of one writer barrier.
 *
 * @param quiesced true if no writer was open at the end
 * @param elapsed how long the barrier waited
 * @param blockers open tickets by component at the end; empty if quiesced
 */
public record QuiescenceResult(boolean quiesced, Duration elapsed, SortedMap<WriterComponent, Integer> blockers) {

    /** Copies the map. */
    public QuiescenceResult {
        blockers = Collections.unmodifiableSortedMap(new TreeMap<>(blockers));
        if (quiesced != blockers.isEmpty()) {
            throw new IllegalArgumentException("a barrier has quiesced exactly if nothing blocks it");
        }
    }
}
