package org.prismpool.bundle.internal;

/** Counters that the transition table raises. */
enum SchedulerCount {
    REQUESTS,
    STARTS,
    SUPERSESSIONS,
    COMPLETIONS,
    OBSOLETE_RESULTS,
    FAILURES,
    ORPHANS_EVICTED,
    PRIORITY_STARTED,
    PRIORITY_COALESCED,
    PRIORITY_QUEUED,
    ROUTINE_DEFERRED,
    ROUTINE_PREEMPTED,
    INITIAL_SINGLEFLIGHT,
    INITIAL_DEFERRED
}
