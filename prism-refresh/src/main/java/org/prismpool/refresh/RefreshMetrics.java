package org.prismpool.refresh;

/** Port for counts and durations of this module (spec 07 appendix A). Thread-safe; nothing is counted by default. */
public interface RefreshMetrics {

    /**
     * A phase ended.
     *
     * @param phase the phase
     * @param nanos how long it took
     */
    default void phase(RefreshPhase phase, long nanos) {}

    /**
     * A bounded operation ran out of time.
     *
     * @param label which one
     */
    default void timeout(TimeoutLabel label) {}

    /**
     * A generation was given up.
     *
     * @param outcome how
     */
    default void generation(GenerationOutcome outcome) {}

    /**
     * A wave ended.
     *
     * @param outcome its terminal outcome
     * @param nanos wall time since the attempt began
     */
    default void wave(WaveOutcome outcome, long nanos) {}

    /**
     * A pass spent time on the shared bundle.
     *
     * @param nanos wall time of the preparation
     */
    default void bundleBuild(long nanos) {}

    /**
     * A reconcile pass was waited for, successfully or not.
     *
     * @param nanos wall time of the wait
     */
    default void reconcile(long nanos) {}

    /**
     * A reconcile proof was looked up by a pass.
     *
     * @param source what satisfied it
     */
    default void reconcileLookup(ReconcileSource source) {}

    /**
     * A fan-out ended.
     *
     * @param report what became of it
     * @param attemptNanos monotonic instant at which the attempt began
     */
    default void fanout(FanoutReport report, long attemptNanos) {}

    /** The tip could not be asked for after an accepted block. */
    default void postAcceptFailure() {}

    /** How a generation was given up. */
    enum GenerationOutcome {
        /** Stopped because something was not obtained in time. */
        CANCELLED,
        /** Made obsolete before its publication. */
        SUPERSEDED
    }

    /** What satisfied a reconcile lookup. */
    enum ReconcileSource {
        /** A remembered proof. */
        MEMO_HIT,
        /** The pass that ran beside the template fetch. */
        OVERLAP,
        /** A pass of its own. */
        SERIAL
    }
}
