package org.prismpool.bundle.compile;

import java.util.OptionalLong;

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
        /** A helper was started, and the one before it was terminated or crashed. */
        RESTARTS
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
     * Tells which helper runs now.
     *
     * @param pid process id right after the start, empty on every exit path
     */
    default void activePid(OptionalLong pid) {}

    /**
     * Counts bytes that went to or came from a helper.
     *
     * @param input payload bytes
     * @param output bytes of its standard output
     */
    default void bytes(long input, long output) {}
}
