package org.prismpool.refresh;

import java.util.Objects;
import org.prismpool.lifecycle.time.CancelSource;

/**
 * The fan-out that is under way, so that a newer tip or payout generation can stop it.
 *
 * @param token the token that it delivers under
 * @param cancel raised to stop it; nobody waits for it to end
 */
public record ActiveFanout(ValidationToken token, CancelSource cancel) {

    /** Checks the components. */
    public ActiveFanout {
        Objects.requireNonNull(token, "token");
        Objects.requireNonNull(cancel, "cancel");
    }
}
