package org.prismpool.payout.state;

import java.util.Objects;
import org.prismpool.templates.chain.Hash256;

/**
 * Identity of the facts that balances must be read from; every invalidation makes the next one.
 *
 * @param generation 1 for the source that a process starts with, one more per invalidation
 * @param tip tip that the invalidation belongs to; {@link Hash256#ZERO} while no tip is known
 * @param cause why the source moved
 * @param invalidatedNanos monotonic time of the invalidation
 */
public record PayoutSource(long generation, Hash256 tip, PayoutCause cause, long invalidatedNanos) {

    /** Checks the components. */
    public PayoutSource {
        if (generation < 1) {
            throw new IllegalArgumentException("payout source generation must be positive: " + generation);
        }
        Objects.requireNonNull(tip, "tip");
        Objects.requireNonNull(cause, "cause");
    }

    PayoutSource next(Hash256 newTip, PayoutCause newCause, long nowNanos) {
        return new PayoutSource(generation + 1, newTip, newCause, nowNanos);
    }
}
