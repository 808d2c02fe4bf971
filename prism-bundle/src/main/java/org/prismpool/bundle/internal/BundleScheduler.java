package org.prismpool.bundle.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import org.prismpool.bundle.BuildSource;
import org.prismpool.bundle.BuildWatch;
import org.prismpool.bundle.BundleException;
import org.prismpool.bundle.BundleFailure;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the effects of {@link Scheduler}: starts builds on an executor, raises cancellations, resolves promises.
 *
 * <p>Thread-safe. {@code lock} guards the state and the table of runs and is held around the pure transition only;
 * effects run after it. Promises resolve structurally: whatever a build or its bookkeeping throws, the promise of every
 * flight that leaves the table is completed.
 */
final class BundleScheduler<B> {

    private static final Logger LOG = LoggerFactory.getLogger(BundleScheduler.class);

    private final ExecutorService executor;
    private final MonotonicClock clock;
    private final SchedulerListener listener;
    private final long graceNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, FlightRun<B>> runs = new HashMap<>();
    private SchedulerState state = SchedulerState.EMPTY;
    private long nextId = 1;
    private boolean closed;

    BundleScheduler(ExecutorService executor, Duration cancelGrace, SchedulerListener listener, MonotonicClock clock) {
        this.executor = executor;
        this.graceNanos = cancelGrace.toNanos();
        this.listener = listener;
        this.clock = clock;
    }

    /** What a caller got: a future of its own, and the means to leave. */
    record Admission<B>(CompletableFuture<B> future, Runnable leave) {}

    /** How a request enters the table. */
    record Entry(FlightKey key, boolean critical, BuildSource source, boolean idleRetarget) {}

    Admission<B> submit(Entry entry, boolean tipUnpublished, BuildControl control, Function<BuildControl, B> build) {
        List<SchedulerEffect> effects;
        long id;
        FlightRun<B> run;
        lock.lock();
        try {
            if (closed) {
                return refused(FlightFailures.shutdown());
            }
            effects = new ArrayList<>(transition(new SchedulerEvent.Sweep(clock.nanoTime(), finished())));
            id = nextId++;
            run = new FlightRun<>(id, control, build, clock.nanoTime());
            runs.put(id, run);
            SchedulerRequest request = new SchedulerRequest(
                    id, entry.key(), entry.critical(), entry.source(), entry.idleRetarget(), clock.nanoTime());
            effects.addAll(transition(new SchedulerEvent.Admit(request, tipUnpublished, healthy())));
            run.queued = !effects.contains(new SchedulerEffect.Start(id));
        } finally {
            lock.unlock();
        }
        return perform(effects, Optional.of(run)).orElseGet(() -> admitted(run));
    }

    /** Cancels every flight whose key is no longer wanted. */
    void cancel(Predicate<FlightKey> obsolete, String reason) {
        List<SchedulerEffect> effects;
        lock.lock();
        try {
            Set<Long> ids = new HashSet<>();
            state.flights().filter(f -> obsolete.test(f.key())).forEach(f -> ids.add(f.id()));
            effects = transition(new SchedulerEvent.CancelRequested(ids, reason));
        } finally {
            lock.unlock();
        }
        perform(effects, Optional.empty());
    }

    boolean priorityLive() {
        lock.lock();
        try {
            return state.priorityLive();
        } finally {
            lock.unlock();
        }
    }

    /** Promises of the publication-critical flights that are live. */
    List<CompletableFuture<B>> priorityPromises() {
        lock.lock();
        try {
            List<CompletableFuture<B>> promises = new ArrayList<>();
            state.flights().filter(Flight::liveCritical).forEach(f -> {
                FlightRun<B> run = runs.get(f.id());
                if (run != null) {
                    promises.add(run.promise);
                }
            });
            return promises;
        } finally {
            lock.unlock();
        }
    }

    /** Ends flights whose time is up, and disowns those that do not stop within the grace. */
    void tick() {
        List<SchedulerEffect> effects = new ArrayList<>();
        List<FlightRun<B>> disowned = new ArrayList<>();
        lock.lock();
        try {
            Set<Long> late = new HashSet<>();
            for (Flight flight : state.flights().toList()) {
                FlightRun<B> run = runs.get(flight.id());
                if (run == null || !run.control.deadline().expired()) {
                    continue;
                }
                if (flight.cancelled().isEmpty()) {
                    late.add(flight.id());
                } else if (!run.wedged && clock.nanoTime() - run.control.cancelledNanos() > graceNanos) {
                    run.wedged = true;
                    state = state.update(flight.id(), Flight::resolve);
                    disowned.add(run);
                }
            }
            effects.addAll(transition(new SchedulerEvent.CancelRequested(late, Scheduler.TIMEOUT)));
        } finally {
            lock.unlock();
        }
        perform(effects, Optional.empty());
        for (FlightRun<B> run : disowned) {
            LOG.atWarn().addKeyValue("build", run.id).log("build did not stop in time and was disowned");
            run.promise.completeExceptionally(FlightFailures.timedOut("bundle_builder"));
        }
    }

    /** Refuses new requests, resolves the waiting one and cancels the running ones. */
    void close() {
        List<SchedulerEffect> effects;
        lock.lock();
        try {
            closed = true;
            effects = transition(new SchedulerEvent.Shutdown());
        } finally {
            lock.unlock();
        }
        perform(effects, Optional.empty());
    }

    /** Settles what is left after the executor has stopped. */
    void settle() {
        List<FlightRun<B>> left;
        lock.lock();
        try {
            left = List.copyOf(runs.values());
            runs.clear();
            state = SchedulerState.EMPTY;
        } finally {
            lock.unlock();
        }
        left.forEach(run -> run.promise.completeExceptionally(FlightFailures.shutdown()));
    }

    /** Copy of the places for gauges. */
    SchedulerState state() {
        lock.lock();
        try {
            return state;
        } finally {
            lock.unlock();
        }
    }

    int wedged() {
        lock.lock();
        try {
            return (int) runs.values().stream().filter(r -> r.wedged).count();
        } finally {
            lock.unlock();
        }
    }

    long oldestRunningAgeNanos() {
        lock.lock();
        try {
            long now = clock.nanoTime();
            return runs.values().stream()
                    .filter(r -> r.started)
                    .mapToLong(r -> now - r.startedNanos)
                    .max()
                    .orElse(0);
        } finally {
            lock.unlock();
        }
    }

    private List<SchedulerEffect> transition(SchedulerEvent event) {
        Scheduler.Step step = Scheduler.step(state, event);
        state = step.state();
        return step.effects();
    }

    private Set<Long> healthy() {
        Set<Long> ids = new HashSet<>();
        state.flights().forEach(f -> {
            FlightRun<B> run = runs.get(f.id());
            if (run != null && (run.started ? run.control.healthy(graceNanos) : run.control.halfBudgetLeft())) {
                ids.add(f.id());
            }
        });
        return ids;
    }

    private Set<Long> finished() {
        Set<Long> ids = new HashSet<>();
        state.running().forEach(f -> {
            FlightRun<B> run = runs.get(f.id());
            if (run == null || run.taskOver()) {
                ids.add(f.id());
            }
        });
        return ids;
    }

    /** Runs effects in order; returns the admission if one of them decided about the given request. */
    private Optional<Admission<B>> perform(List<SchedulerEffect> effects, Optional<FlightRun<B>> requester) {
        Optional<Admission<B>> admission = Optional.empty();
        for (SchedulerEffect effect : effects) {
            if (effect instanceof SchedulerEffect.Join join) {
                admission = Optional.of(join(join, requester));
            } else if (effect instanceof SchedulerEffect.Defer defer) {
                admission = Optional.of(defer(defer));
            } else if (effect instanceof SchedulerEffect.Reject reject) {
                forget(reject.requestId());
                admission = Optional.of(refused(FlightFailures.superseded("a detected tip is not published yet")));
            } else {
                perform(effect);
            }
        }
        return admission;
    }

    private void perform(SchedulerEffect effect) {
        if (effect instanceof SchedulerEffect.Start start) {
            find(start.id()).ifPresent(this::start);
        } else if (effect instanceof SchedulerEffect.Cancel cancel) {
            find(cancel.id()).ifPresent(run -> run.control.cancel(cancel.reason()));
        } else if (effect instanceof SchedulerEffect.Resolve resolve) {
            resolve(resolve);
        } else if (effect instanceof SchedulerEffect.Count count) {
            listener.count(count.counter());
        } else if (effect instanceof SchedulerEffect.Evicted evicted) {
            LOG.atWarn().addKeyValue("build", evicted.id()).log("orphaned build slot freed");
        }
    }

    private void start(FlightRun<B> run) {
        lock.lock();
        try {
            run.started = true;
            run.startedNanos = clock.nanoTime();
        } finally {
            lock.unlock();
        }
        if (run.queued) {
            listener.replacementStart(run.startedNanos - run.requestedNanos);
        }
        try {
            run.task = executor.submit(() -> execute(run));
        } catch (RejectedExecutionException refused) {
            LOG.atWarn().addKeyValue("build", run.id).setCause(refused).log("build executor refused a build");
            event(new SchedulerEvent.StartFailed(run.id));
        }
    }

    /** Body of a build task; the only place where everything thrown by a build is caught. */
    private void execute(FlightRun<B> run) {
        SchedulerEvent.Ending ending = SchedulerEvent.Ending.FAILURE;
        try {
            runWatched(run);
            ending = SchedulerEvent.Ending.RESULT;
        } catch (Throwable failure) {
            run.failed(failure);
            if (failure instanceof Error) {
                LOG.atError().addKeyValue("build", run.id).setCause(failure).log("build died");
            }
        } finally {
            try {
                listener.buildEnded(clock.nanoTime() - run.requestedNanos);
            } finally {
                event(new SchedulerEvent.Completed(run.id, ending));
            }
        }
    }

    private void runWatched(FlightRun<B> run) {
        BuildWatch.Running watched = listener.buildBegan();
        try {
            run.control.checkpoint("start");
            run.succeeded(run.build.apply(run.control));
        } finally {
            watched.close();
        }
    }

    private void event(SchedulerEvent event) {
        List<SchedulerEffect> effects;
        lock.lock();
        try {
            effects = transition(event);
        } finally {
            lock.unlock();
        }
        perform(effects, Optional.empty());
    }

    private void resolve(SchedulerEffect.Resolve resolve) {
        Optional<FlightRun<B>> found = forget(resolve.id());
        if (found.isEmpty()) {
            return;
        }
        FlightRun<B> run = found.get();
        if (run.control.cancelled().isPresent()) {
            listener.cancellation(clock.nanoTime() - run.control.cancelledNanos());
        }
        switch (resolve.resolution()) {
            case RESULT ->
                run.result()
                        .ifPresentOrElse(
                                run.promise::complete, () -> run.promise.completeExceptionally(failureOf(run)));
            case FAILURE -> run.promise.completeExceptionally(failureOf(run));
            case TIMEOUT -> run.promise.completeExceptionally(FlightFailures.timedOut("bundle_builder"));
            case SUPERSEDED ->
                run.promise.completeExceptionally(
                        FlightFailures.superseded(run.control.cancelled().orElse(Scheduler.SUPERSEDED)));
            case START_FAILED -> run.promise.completeExceptionally(FlightFailures.startFailed());
            case SHUTDOWN -> run.promise.completeExceptionally(FlightFailures.shutdown());
        }
    }

    private static Throwable failureOf(FlightRun<?> run) {
        return run.failure()
                .orElseGet(
                        () -> new BundleException(BundleFailure.BLOCKED, "start", "the build ended without a result"));
    }

    private Admission<B> join(SchedulerEffect.Join join, Optional<FlightRun<B>> requester) {
        requester.ifPresent(r -> forget(r.id));
        listener.joined();
        Optional<FlightRun<B>> flight;
        lock.lock();
        try {
            flight = Optional.ofNullable(runs.get(join.flightId()));
            flight.ifPresent(run -> run.waiters++);
        } finally {
            lock.unlock();
        }
        // A flight that completed between the transition and here counts as superseded: the caller looks in the cache.
        return flight.map(this::admitted).orElseGet(() -> refused(FlightFailures.superseded(FlightFailures.CAPACITY)));
    }

    private Admission<B> defer(SchedulerEffect.Defer defer) {
        forget(defer.requestId());
        CompletableFuture<B> deferred = new CompletableFuture<>();
        for (long id : defer.flights()) {
            Optional<FlightRun<B>> ahead = find(id);
            if (ahead.isEmpty()) {
                deferred.completeExceptionally(FlightFailures.superseded(FlightFailures.CAPACITY));
            } else {
                CompletableFuture<B> unused = ahead.get()
                        .promise
                        .whenComplete((b, f) ->
                                deferred.completeExceptionally(FlightFailures.superseded(FlightFailures.CAPACITY)));
            }
        }
        return new Admission<>(deferred, () -> {});
    }

    private Admission<B> admitted(FlightRun<B> run) {
        AtomicBoolean here = new AtomicBoolean(true);
        return new Admission<>(run.promise.copy(), () -> {
            if (here.compareAndSet(true, false)) {
                leave(run);
            }
        });
    }

    private void leave(FlightRun<B> run) {
        boolean last;
        lock.lock();
        try {
            last = --run.waiters == 0;
        } finally {
            lock.unlock();
        }
        if (last) {
            event(new SchedulerEvent.CancelRequested(
                    Set.of(run.id), run.control.deadline().expired() ? Scheduler.TIMEOUT : Scheduler.SUPERSEDED));
        }
    }

    private Admission<B> refused(BundleException failure) {
        return new Admission<>(CompletableFuture.failedFuture(failure), () -> {});
    }

    private Optional<FlightRun<B>> find(long id) {
        lock.lock();
        try {
            return Optional.ofNullable(runs.get(id));
        } finally {
            lock.unlock();
        }
    }

    private Optional<FlightRun<B>> forget(long id) {
        lock.lock();
        try {
            return Optional.ofNullable(runs.remove(id));
        } finally {
            lock.unlock();
        }
    }
}
