package org.prismpool.bundle.compile;

/** Port to whoever shows and counts helper processes. Called on the build thread; must return quickly. */
public interface HelperEvents {

    /** Kinds of events, by their label in the metric family. */
    enum Kind {
        /** A helper was started. */
        STARTS,
        /** A live helper was stopped on purpose. */
        TERMINATIONS,
        /** A helper ended with an error. */
        CRASHES,
        /** A helper gave no result for a reason of its own: it ended with an error, took too long or wrote too much. */
        FAILURES,
        /** A helper was started, and the one before it was terminated or crashed. */
        RESTARTS
    }

    /** Parts of one compile. */
    enum Step {
        /** Writing the payload. */
        PAYLOAD,
        /** From the start of the helper to its end. */
        RUN
    }

    /** Does nothing. */
    HelperEvents NONE = new HelperEvents() {};

    /**
     * Counts an event.
     *
     * @param kind what happened
     */
    default void count(Kind kind) {}

    /**
     * Tells that a helper runs; two may run at once.
     *
     * @param pid its process id, right after the start
     */
    default void running(long pid) {}

    /**
     * Tells that a helper no longer runs, or has been given up; on every exit path.
     *
     * @param pid its process id
     */
    default void gone(long pid) {}

    /**
     * Records a part of one compile, also of a failed one.
     *
     * @param step which part
     * @param nanos its duration
     */
    default void took(Step step, long nanos) {}

    /**
     * Counts bytes that went to or came from a helper.
     *
     * @param input payload bytes
     * @param output bytes of its standard output
     */
    default void bytes(long input, long output) {}
}
