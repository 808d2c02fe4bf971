package org.prismpool.lifecycle.shutdown;

import java.time.Duration;
import java.util.Objects;

/**
 * One thing to stop after the lease was dealt with.
 *
 * @param name what is stopped, for logs and thread names
 * @param bound longest time it may take; what is left then is reported and left behind
 * @param stop how to stop it
 */
public record DrainStep(String name, Duration bound, Stop stop) {

    /** Checks the bound. */
    public DrainStep {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(stop, "stop");
        if (bound.isNegative()) {
            throw new IllegalArgumentException("the bound of " + name + " must not be negative");
        }
    }

    /** Stops one thing; called once, on a thread of its own. */
    @FunctionalInterface
    public interface Stop {

        /**
         * Stops it.
         *
         * @param bound longest time to take
         * @return true if nothing of it is left
         * @throws Exception if stopping fails; it is logged and the next step goes on
         */
        boolean stop(Duration bound) throws Exception;
    }
}
