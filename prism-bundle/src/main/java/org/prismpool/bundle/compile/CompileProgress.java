package org.prismpool.bundle.compile;

import org.prismpool.bundle.BuildPhase;

/** Port to the build that a compile belongs to. Called on the compiling thread; must return quickly. */
public interface CompileProgress {

    /** Does nothing. */
    CompileProgress NONE = new CompileProgress() {};

    /**
     * Tells that the compile moved on; where a cancelled build stops.
     *
     * @param checkpoint stable lower-case name
     * @throws RuntimeException if the build is cancelled or its time is up
     */
    default void checkpoint(String checkpoint) {}

    /**
     * Records the duration of a phase.
     *
     * @param phase the phase
     * @param nanos its duration
     */
    default void phase(BuildPhase phase, long nanos) {}
}
