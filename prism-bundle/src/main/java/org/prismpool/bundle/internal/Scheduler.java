package org.prismpool.bundle.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.prismpool.bundle.BuildSource;
import org.prismpool.bundle.internal.SchedulerEffect.Resolution;

/**
 * The transition table of the bundle scheduler (spec 07 §4.3, §4.6) as a pure function.
 *
 * <p>Latest wins: at most two builds run and at most one waits, whatever arrives. A publication-critical build is never
 * delayed by a routine one, and while one is live no routine build starts.
 */
final class Scheduler {

    /** Cancellation reason of a flight whose time is up. */
    static final String TIMEOUT = "timeout";

    /** Cancellation reason of a routine flight that a publication displaces. */
    static final String PUBLICATION_PRIORITY = "publication priority";

    /** Cancellation reason of a flight that something newer displaces. */
    static final String SUPERSEDED = "superseded";

    static final long ORPHAN_GRACE_NANOS = Duration.ofSeconds(1).toNanos();

    private SchedulerState state;
    private final List<SchedulerEffect> effects = new ArrayList<>();

    private Scheduler(SchedulerState state) {
        this.state = state;
    }

    /** New state and what to do about it. */
    record Step(SchedulerState state, List<SchedulerEffect> effects) {
        Step {
            effects = List.copyOf(effects);
        }
    }

    static Step step(SchedulerState before, SchedulerEvent event) {
        Scheduler run = new Scheduler(before);
        if (event instanceof SchedulerEvent.Admit admit) {
            run.admit(admit);
        } else if (event instanceof SchedulerEvent.Completed completed) {
            run.completed(completed);
        } else if (event instanceof SchedulerEvent.StartFailed failed) {
            run.startFailed(failed.id());
        } else if (event instanceof SchedulerEvent.CancelRequested cancel) {
            run.cancelRequested(cancel);
        } else if (event instanceof SchedulerEvent.Sweep sweep) {
            run.sweep(sweep);
        } else {
            run.shutdown();
        }
        return new Step(run.state, run.effects);
    }

    private void admit(SchedulerEvent.Admit event) {
        SchedulerRequest r = event.request();
        if (r.idleRetarget() && event.tipUnpublished()) {
            effects.add(new SchedulerEffect.Reject(r.id()));
            return;
        }
        count(SchedulerCount.REQUESTS);
        Optional<Flight> joinable = state.flights()
                .filter(x -> x.live() && x.key().shareable(r.key()))
                .filter(x -> !r.critical() || x.critical() || event.healthy().contains(x.id()))
                .findFirst();
        if (joinable.isPresent()) {
            join(r, joinable.get());
            return;
        }
        if (!r.critical() && state.priorityLive()) {
            deferBehindPriority(r);
            return;
        }
        Optional<Flight> readyAhead = readyAhead(r);
        if (readyAhead.isPresent()) {
            defer(r, Set.of(readyAhead.get().id()));
        } else if (state.active().isEmpty()) {
            admitWithFreePlace(r);
        } else if (state.active().get().key().peers(r.key())) {
            admitBesidePeer(r);
        } else {
            admitOverOthers(r);
        }
    }

    /** Row 2. */
    private void join(SchedulerRequest r, Flight x) {
        effects.add(new SchedulerEffect.Join(r.id(), x.id()));
        if (r.critical()) {
            state = state.update(x.id(), f -> f.promoted(r));
            if (state.isRunning(x.id())) {
                count(SchedulerCount.PRIORITY_COALESCED);
            } else {
                count(SchedulerCount.PRIORITY_QUEUED);
                cancelRunning(r, f -> !f.critical() && !f.key().shareable(r.key()));
                promote();
            }
        }
        if (r.source() == BuildSource.INITIAL) {
            count(SchedulerCount.INITIAL_SINGLEFLIGHT);
        }
    }

    /** Row 3. */
    private void deferBehindPriority(SchedulerRequest r) {
        count(SchedulerCount.ROUTINE_DEFERRED);
        if (r.source() == BuildSource.INITIAL) {
            count(SchedulerCount.INITIAL_DEFERRED);
        }
        defer(r, state.flights().filter(Flight::liveCritical).map(Flight::id).collect(Collectors.toSet()));
    }

    /** Row 4: the ready build that collection work has to wait for. */
    private Optional<Flight> readyAhead(SchedulerRequest r) {
        if (r.key().ready()) {
            return Optional.empty();
        }
        return Stream.of(state.pending(), state.active(), state.retiring())
                .flatMap(Optional::stream)
                .filter(x -> x.live() && x.key().ready() && !(r.critical() && !x.critical()))
                .findFirst();
    }

    /** Rows 5 and 6. */
    private void admitWithFreePlace(SchedulerRequest r) {
        Optional<Flight> waiting = state.pending().filter(p -> p.key().peers(r.key()) && mayStart(p));
        if (waiting.isPresent()) {
            Flight p = waiting.get();
            state = state.withPending(Optional.empty());
            if (state.retiring().isEmpty()) {
                start(p);
                state = state.withActive(Optional.empty()).withRetiring(Optional.of(p));
                start(Flight.of(r));
            } else {
                start(p);
                defer(r, Set.of(p.id(), state.retiring().get().id()));
            }
            return;
        }
        supersedePending(r);
        cancelRunning(r, f -> !f.key().peers(r.key()));
        start(Flight.of(r));
    }

    /** Row 7. */
    private void admitBesidePeer(SchedulerRequest r) {
        if (state.retiring().isEmpty()) {
            state = state.withRetiring(state.active()).withActive(Optional.empty());
            start(Flight.of(r));
        } else if (state.pending().isEmpty()) {
            enqueue(r);
        } else if (r.critical()) {
            supersedePending(r);
            enqueue(r);
        } else {
            defer(r, state.running().map(Flight::id).collect(Collectors.toSet()));
        }
    }

    /** Row 8. */
    private void admitOverOthers(SchedulerRequest r) {
        cancelRunning(r, f -> true);
        if (state.retiring().isEmpty()) {
            state = state.withRetiring(state.active()).withActive(Optional.empty());
            start(Flight.of(r));
        } else {
            supersedePending(r);
            enqueue(r);
        }
    }

    private void enqueue(SchedulerRequest r) {
        state = state.withPending(Optional.of(Flight.of(r)));
        if (r.critical()) {
            count(SchedulerCount.PRIORITY_QUEUED);
            cancelRunning(r, f -> !f.critical());
        }
    }

    private void completed(SchedulerEvent.Completed event) {
        state.find(event.id()).filter(f -> state.isRunning(f.id())).ifPresent(flight -> {
            Resolution resolution = classify(flight, event.ending());
            vacate(flight, resolution);
        });
    }

    private static Resolution classify(Flight flight, SchedulerEvent.Ending ending) {
        if (flight.cancelled().isPresent()) {
            return flight.cancelled().get().equals(TIMEOUT) ? Resolution.TIMEOUT : Resolution.SUPERSEDED;
        }
        return ending == SchedulerEvent.Ending.RESULT ? Resolution.RESULT : Resolution.FAILURE;
    }

    private void vacate(Flight flight, Resolution resolution) {
        state = state.remove(flight.id());
        promote();
        switch (resolution) {
            case RESULT -> count(SchedulerCount.COMPLETIONS);
            case SUPERSEDED -> count(SchedulerCount.OBSOLETE_RESULTS);
            default -> count(SchedulerCount.FAILURES);
        }
        effects.add(new SchedulerEffect.Resolve(flight.id(), resolution));
    }

    private void startFailed(long id) {
        state.find(id).ifPresent(flight -> vacate(flight, Resolution.START_FAILED));
    }

    private void cancelRequested(SchedulerEvent.CancelRequested event) {
        for (Flight flight : state.flights().toList()) {
            if (!event.ids().contains(flight.id())) {
                continue;
            }
            if (state.isRunning(flight.id())) {
                cancel(flight, event.reason());
            } else {
                state = state.withPending(Optional.empty());
                count(SchedulerCount.SUPERSESSIONS);
                effects.add(new SchedulerEffect.Resolve(
                        flight.id(), event.reason().equals(TIMEOUT) ? Resolution.TIMEOUT : Resolution.SUPERSEDED));
            }
        }
    }

    private void sweep(SchedulerEvent.Sweep event) {
        for (Flight flight : state.running().toList()) {
            if (!event.finished().contains(flight.id())) {
                continue;
            }
            if (flight.orphanSinceNanos().isEmpty()) {
                state = state.update(flight.id(), f -> f.orphanSince(event.nowNanos()));
            } else if (event.nowNanos() - flight.orphanSinceNanos().getAsLong() >= ORPHAN_GRACE_NANOS) {
                count(SchedulerCount.ORPHANS_EVICTED);
                effects.add(new SchedulerEffect.Evicted(flight.id()));
                vacate(flight, classify(flight, SchedulerEvent.Ending.RESULT));
            }
        }
    }

    private void shutdown() {
        state.pending().ifPresent(p -> effects.add(new SchedulerEffect.Resolve(p.id(), Resolution.SHUTDOWN)));
        state = state.withPending(Optional.empty());
        for (Flight flight : state.running().toList()) {
            cancel(flight, SUPERSEDED);
        }
    }

    private boolean mayStart(Flight pending) {
        return pending.critical() || state.running().noneMatch(Flight::liveCritical);
    }

    /** Moves the waiting build into a free place if nothing speaks against it. */
    private void promote() {
        if (state.pending().isEmpty()) {
            return;
        }
        Flight p = state.pending().get();
        if (p.resolved()) {
            state = state.withPending(Optional.empty());
            return;
        }
        boolean full = state.active().isPresent() && state.retiring().isPresent();
        boolean readyAhead = !p.critical()
                && !p.key().ready()
                && state.running().anyMatch(f -> f.live() && f.key().ready());
        if (full || readyAhead || !mayStart(p)) {
            return;
        }
        state = state.withPending(Optional.empty());
        for (Flight occupant : state.running().toList()) {
            if (!occupant.key().peers(p.key())) {
                displace(occupant, p.critical());
            }
        }
        state = state.withRetiring(state.running().findFirst()).withActive(Optional.empty());
        start(p);
    }

    private void start(Flight flight) {
        state = state.withActive(Optional.of(flight));
        count(SchedulerCount.STARTS);
        if (flight.critical()) {
            count(SchedulerCount.PRIORITY_STARTED);
        }
        effects.add(new SchedulerEffect.Start(flight.id()));
    }

    private void defer(SchedulerRequest r, Set<Long> behind) {
        effects.add(new SchedulerEffect.Defer(r.id(), behind));
    }

    private void supersedePending(SchedulerRequest r) {
        state.pending().ifPresent(p -> {
            count(SchedulerCount.SUPERSESSIONS);
            if (r.critical() && !p.critical()) {
                count(SchedulerCount.ROUTINE_PREEMPTED);
            }
            effects.add(new SchedulerEffect.Resolve(p.id(), Resolution.SUPERSEDED));
        });
        state = state.withPending(Optional.empty());
    }

    private void cancelRunning(SchedulerRequest r, Predicate<Flight> which) {
        state.running().filter(which).toList().forEach(f -> displace(f, r.critical()));
    }

    private void displace(Flight victim, boolean byCritical) {
        boolean preempted = byCritical && !victim.critical();
        if (victim.cancelled().isEmpty() && preempted) {
            count(SchedulerCount.ROUTINE_PREEMPTED);
        }
        cancel(victim, preempted ? PUBLICATION_PRIORITY : SUPERSEDED);
    }

    private void cancel(Flight flight, String reason) {
        if (flight.cancelled().isPresent()) {
            return;
        }
        state = state.update(flight.id(), f -> f.cancel(reason));
        count(SchedulerCount.SUPERSESSIONS);
        effects.add(new SchedulerEffect.Cancel(flight.id(), reason));
    }

    private void count(SchedulerCount counter) {
        effects.add(new SchedulerEffect.Count(counter));
    }
}
