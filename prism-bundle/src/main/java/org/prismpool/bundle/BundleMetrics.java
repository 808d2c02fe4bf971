package org.prismpool.bundle;

/** Port to the counters of this owner (spec 07 appendix A). Called on hot paths: implementations only add. */
public interface BundleMetrics {

    /** Does nothing. */
    BundleMetrics NONE = new BundleMetrics() {};

    /** Counted events of the scheduler. */
    enum Build {
        /** A request was admitted to the table. */
        REQUESTS,
        /** A request joined a build of the same work. */
        JOINS,
        /** A build started. */
        STARTS,
        /** A build delivered its result. */
        COMPLETIONS,
        /** A build or a waiting request was displaced. */
        SUPERSESSIONS,
        /** A build ended after it had been displaced. */
        OBSOLETE_RESULTS,
        /** A slot whose task had vanished was freed. */
        ORPHANS_EVICTED,
        /** A build failed or ran out of time. */
        FAILURES
    }

    /** Events of publication-critical builds. */
    enum Priority {
        /** One started. */
        STARTED,
        /** One joined a running build. */
        COALESCED,
        /** One waits for a place. */
        QUEUED,
        /** A routine request waits behind one. */
        ROUTINE_DEFERRED,
        /** A routine build was displaced by one. */
        ROUTINE_PREEMPTED
    }

    /** How a first job came to its work. */
    enum Initial {
        /** From the cache. */
        CACHE_HIT,
        /** From a running build of the same work. */
        SINGLEFLIGHT,
        /** It had to wait behind publication work. */
        DEFERRED,
        /** It waits for the result of publication work. */
        SUBSCRIBED,
        /** It waited too long. */
        ADMISSION_DEADLINE
    }

    /**
     * Counts an event of the scheduler.
     *
     * @param event the event
     */
    default void build(Build event) {}

    /**
     * Counts an event of publication-critical builds.
     *
     * @param event the event
     */
    default void priority(Priority event) {}

    /**
     * Counts how a first job came to its work.
     *
     * @param event the event
     */
    default void initial(Initial event) {}

    /**
     * Counts a cache lookup.
     *
     * @param hit whether it was served
     */
    default void cache(boolean hit) {}

    /**
     * Records the duration of a measured phase, also of a failed one.
     *
     * @param phase the phase
     * @param nanos duration
     */
    default void phase(BuildPhase phase, long nanos) {}

    /**
     * Records a finished build.
     *
     * @param nanos from its request to its end
     */
    default void buildSeconds(long nanos) {}

    /**
     * Records how long a displaced build took to end.
     *
     * @param nanos from its cancellation to its end
     */
    default void cancellation(long nanos) {}

    /**
     * Records how long a build waited for the one it displaced.
     *
     * @param nanos from its request to its start
     */
    default void replacementStart(long nanos) {}

    /**
     * Records how long a publication-critical request took to be admitted.
     *
     * @param nanos from the caller's attempt to the admission
     */
    default void priorityAdmission(long nanos) {}
}
