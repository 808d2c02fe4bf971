package org.prismpool.refresh;

import java.util.Objects;

/**
 * What the startup prewarm ended with. A deferred one is no failure: a retry is latched.
 *
 * @param published true iff work is published
 * @param reason why it was deferred; empty text if published
 */
public record PrewarmOutcome(boolean published, String reason) {

    /** Checks the components. */
    public PrewarmOutcome {
        Objects.requireNonNull(reason, "reason");
    }
}
