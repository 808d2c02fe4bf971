package org.prismpool.refresh;

import java.util.Objects;
import java.util.Optional;

/**
 * One eligible connection at the moment of selection.
 *
 * @param connectionId process-wide connection number
 * @param activeJobId the job it worked on; the intervening-job rule compares with it (spec 07 §7.4)
 * @param needsWork true iff it needs the queried work
 */
public record FanoutTarget(long connectionId, Optional<String> activeJobId, boolean needsWork) {

    /** Checks the components. */
    public FanoutTarget {
        Objects.requireNonNull(activeJobId, "activeJobId");
    }
}
