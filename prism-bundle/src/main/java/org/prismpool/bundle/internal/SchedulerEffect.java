package org.prismpool.bundle.internal;

import java.util.Set;

/** What the shell has to do after a transition, in order and outside the lock. */
sealed interface SchedulerEffect {

    /** Starts the build of a flight. */
    record Start(long id) implements SchedulerEffect {}

    /** Raises the cancellation of a running build; its promise resolves when the build has drained. */
    record Cancel(long id, String reason) implements SchedulerEffect {}

    /** How a promise resolves. */
    enum Resolution {
        /** With the result of the flight's task. */
        RESULT,
        /** With the failure of the flight's task. */
        FAILURE,
        /** Its time was up, even if a result came later. */
        TIMEOUT,
        /** Something newer won, even if a result came later. */
        SUPERSEDED,
        /** The executor refused it. */
        START_FAILED,
        /** The service closed. */
        SHUTDOWN
    }

    /** Resolves a flight's promise; the first resolution wins. */
    record Resolve(long id, Resolution resolution) implements SchedulerEffect {}

    /** The request shares a flight's promise. */
    record Join(long requestId, long flightId) implements SchedulerEffect {}

    /** The request fails as superseded with "capacity available" as soon as any of the flights resolves. */
    record Defer(long requestId, Set<Long> flights) implements SchedulerEffect {
        public Defer {
            flights = Set.copyOf(flights);
        }
    }

    /** The request is refused at once and does not count as one. */
    record Reject(long requestId) implements SchedulerEffect {}

    /** A counter rises by one. */
    record Count(SchedulerCount counter) implements SchedulerEffect {}

    /** A flight was evicted as an orphan; to be logged. */
    record Evicted(long id) implements SchedulerEffect {}
}
