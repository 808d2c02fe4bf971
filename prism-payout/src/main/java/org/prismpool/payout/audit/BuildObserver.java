package org.prismpool.payout.audit;

/** Hears when the phases of a build begin and end. Called on the building thread; must not block. */
public interface BuildObserver {

    /** Hears nothing. */
    BuildObserver NONE = new BuildObserver() {};

    /**
     * A phase, or a part of one, begins.
     *
     * @param phase the phase; may come several times, the parts add up
     */
    default void phaseBegan(BuildPhase phase) {}

    /**
     * The phase that began last ends.
     *
     * @param phase the phase
     */
    default void phaseEnded(BuildPhase phase) {}

    /**
     * The build goes on; called every few hundred shares where it takes long.
     *
     * @throws RuntimeException to give the build up; it reaches the caller of the build unchanged
     */
    default void checkpoint() {}
}
