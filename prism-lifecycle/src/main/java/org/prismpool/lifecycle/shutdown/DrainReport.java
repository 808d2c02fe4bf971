package org.prismpool.lifecycle.shutdown;

import java.time.Duration;
import java.util.List;

/**
 * What the drain left behind.
 *
 * @param elapsed how long it took
 * @param leftovers names of the steps that failed or did not finish within their bound, in order
 */
public record DrainReport(Duration elapsed, List<String> leftovers) {

    /** Copies the list. */
    public DrainReport {
        leftovers = List.copyOf(leftovers);
    }
}
