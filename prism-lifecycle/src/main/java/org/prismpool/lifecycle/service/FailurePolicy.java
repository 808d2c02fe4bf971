package org.prismpool.lifecycle.service;

import java.time.Duration;

/**
 * What becomes of a loop whose body threw. Failures are in a row while the body does not get as far as a wait of its own
 * in between.
 *
 * @param kind what happens
 * @param first pause before the first restart
 * @param longest pause that repeated failures grow to by doubling
 */
public record FailurePolicy(Kind kind, Duration first, Duration longest) {

    /** The kinds of policy. */
    public enum Kind {
        /** Log, count and run the body again. */
        RESTART,
        /** Tell the observer that the process cannot go on, and end the loop. */
        FATAL,
        /** Log, count and end the loop. */
        STOP
    }

    private static final Duration RETURN_FIRST = Duration.ofMillis(250);
    private static final Duration RETURN_LONGEST = Duration.ofSeconds(30);

    /** Checks the pauses. */
    public FailurePolicy {
        if (first.isNegative() || longest.compareTo(first) < 0) {
            throw new IllegalArgumentException("pauses must not shrink: " + first + " to " + longest);
        }
    }

    /**
     * Restarts after the same pause each time.
     *
     * @param pause zero or more
     * @return the policy
     */
    public static FailurePolicy continueAfter(Duration pause) {
        return new FailurePolicy(Kind.RESTART, pause, pause);
    }

    /**
     * Restarts after a pause that doubles with each failure in a row.
     *
     * @param first first pause
     * @param longest longest pause
     * @return the policy
     */
    public static FailurePolicy backoff(Duration first, Duration longest) {
        return new FailurePolicy(Kind.RESTART, first, longest);
    }

    /**
     * Ends the loop and tells that the process cannot go on without it.
     *
     * @return the policy; a body that merely returns is restarted after 0.25 s to 30 s
     */
    public static FailurePolicy fatal() {
        return new FailurePolicy(Kind.FATAL, RETURN_FIRST, RETURN_LONGEST);
    }

    /**
     * Ends the loop.
     *
     * @return the policy; a body that merely returns is restarted after 0.25 s to 30 s
     */
    public static FailurePolicy stop() {
        return new FailurePolicy(Kind.STOP, RETURN_FIRST, RETURN_LONGEST);
    }

    /**
     * Returns the pause before a restart.
     *
     * @param failuresInARow 1 for the first failure
     * @return between {@link #first()} and {@link #longest()}
     */
    public Duration pauseAfter(int failuresInARow) {
        Duration pause = first;
        for (int i = 1; i < failuresInARow && pause.compareTo(longest) < 0 && !pause.isZero(); i++) {
            pause = pause.multipliedBy(2);
        }
        return pause.compareTo(longest) < 0 ? pause : longest;
    }
}
