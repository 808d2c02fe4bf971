package org.prismpool.bundle.internal;

import java.util.Set;

/** What happens to the scheduler. */
sealed interface SchedulerEvent {

    /**
     * A request arrives.
     *
     * @param request the request
     * @param tipUnpublished whether a detected tip is not published yet
     * @param healthy flights that have half of their budget left and moved recently
     */
    record Admit(SchedulerRequest request, boolean tipUnpublished, Set<Long> healthy) implements SchedulerEvent {
        public Admit {
            healthy = Set.copyOf(healthy);
        }
    }

    /** How the task of a flight ended. */
    enum Ending {
        /** It has a result. */
        RESULT,
        /** It failed. */
        FAILURE
    }

    /**
     * A build's task ended.
     *
     * @param id flight
     * @param ending how it ended
     */
    record Completed(long id, Ending ending) implements SchedulerEvent {}

    /**
     * The executor refused a build that was told to start.
     *
     * @param id flight
     */
    record StartFailed(long id) implements SchedulerEvent {}

    /**
     * Flights are no longer wanted.
     *
     * @param ids flights
     * @param reason reason, {@link Scheduler#TIMEOUT} when their time is up
     */
    record CancelRequested(Set<Long> ids, String reason) implements SchedulerEvent {
        public CancelRequested {
            ids = Set.copyOf(ids);
        }
    }

    /**
     * Looks for running flights whose task is over although no completion came.
     *
     * @param nowNanos monotonic time
     * @param finished flights whose task has ended or never existed
     */
    record Sweep(long nowNanos, Set<Long> finished) implements SchedulerEvent {
        public Sweep {
            finished = Set.copyOf(finished);
        }
    }

    /** The service closes: everything that waits is told. */
    record Shutdown() implements SchedulerEvent {}
}
