package org.prismpool.bundle.internal;

import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The three places of the scheduler (spec 07 §4.3): two for running builds, one for the newest waiting one.
 *
 * @param active newest running build
 * @param retiring older running build
 * @param pending build that starts when a place is free
 */
record SchedulerState(Optional<Flight> active, Optional<Flight> retiring, Optional<Flight> pending) {

    static final SchedulerState EMPTY = new SchedulerState(Optional.empty(), Optional.empty(), Optional.empty());

    SchedulerState withActive(Optional<Flight> flight) {
        return new SchedulerState(flight, retiring, pending);
    }

    SchedulerState withRetiring(Optional<Flight> flight) {
        return new SchedulerState(active, flight, pending);
    }

    SchedulerState withPending(Optional<Flight> flight) {
        return new SchedulerState(active, retiring, flight);
    }

    /** Every known flight, in the order in which the table looks for one to join. */
    Stream<Flight> flights() {
        return Stream.of(active, retiring, pending).flatMap(Optional::stream);
    }

    Stream<Flight> running() {
        return Stream.of(active, retiring).flatMap(Optional::stream);
    }

    Optional<Flight> find(long id) {
        return flights().filter(f -> f.id() == id).findFirst();
    }

    boolean isRunning(long id) {
        return running().anyMatch(f -> f.id() == id);
    }

    boolean priorityLive() {
        return flights().anyMatch(Flight::liveCritical);
    }

    SchedulerState update(long id, UnaryOperator<Flight> change) {
        UnaryOperator<Flight> only = f -> f.id() == id ? change.apply(f) : f;
        return new SchedulerState(active.map(only), retiring.map(only), pending.map(only));
    }

    SchedulerState remove(long id) {
        return new SchedulerState(
                active.filter(f -> f.id() != id),
                retiring.filter(f -> f.id() != id),
                pending.filter(f -> f.id() != id));
    }
}
