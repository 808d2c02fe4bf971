package org.prismpool.delivery;

import java.util.Objects;
import java.util.Optional;

/**
 * One eligible connection at the moment of a selection.
 *
 * @param connectionId the connection
 * @param activeJobId job that it works on
 * @param needsWork true iff it needs the queried work
 */
public record TargetView(long connectionId, Optional<String> activeJobId, boolean needsWork) {

    /** Checks the component. */
    public TargetView {
        Objects.requireNonNull(activeJobId, "activeJobId");
    }
}
