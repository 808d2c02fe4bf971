package org.prismpool.lifecycle.shutdown;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.prismpool.lifecycle.event.LifecycleEvents;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * Owns the end of a process: closes admission, waits for the open writers, releases the lease once or keeps it on
 * purpose, and only then lets the rest be drained.
 *
 * <p>Thread-safe. One lock guards all state; it is never held while the lease port, the events or a drain step run.
 * Source: spec 08 section 3.
 */
public final class ShutdownController implements WriterAdmission {

    private static final Duration FOLLOWER_SLACK = Duration.ofSeconds(5);

    private final ShutdownConfig config;
    private final MonotonicClock clock;
    private final ShutdownSequence sequence;
    private final DrainRunner drainRunner;
    private final CancelSource begun = new CancelSource();
    private final ShutdownMonitor monitor = new ShutdownMonitor();
    private final WriterGate gate = new WriterGate(monitor);

    /**
     * Creates a controller of a running process.
     *
     * @param config bounds
     * @param lease lease that is released at the end; see {@link LeaseSlot} for one that is acquired later
     * @param clock monotonic clock of all durations
     * @param events told of each step
     */
    public ShutdownController(ShutdownConfig config, LeasePort lease, MonotonicClock clock, LifecycleEvents events) {
        this.config = Objects.requireNonNull(config, "config");
        this.clock = Objects.requireNonNull(clock, "clock");
        this.sequence = new ShutdownSequence(this, config, lease, clock, events);
        this.drainRunner = new DrainRunner(config.threadPrefix(), clock, events);
    }

    /**
     * Asks for a stop: closes admission and raises the stop signal. Does nothing else, so that a signal handler may call
     * it; a repeated request only adds the signal number if none is known.
     *
     * @param signal number of the operating-system signal that asks, if one does
     */
    public void request(OptionalInt signal) {
        monitor.change(() -> {
            monitor.progress().signalled(signal, clock.nanoTime());
            if (phaseUnderLock() == ShutdownPhase.RUNNING) {
                monitor.progress().moveTo(ShutdownPhase.REQUESTED);
            }
            return phaseUnderLock();
        });
    }

    /**
     * Stops writing: waits for the open writers and releases the lease, or withholds it. The first caller does it, later
     * callers wait and get the same report. The caller must not hold a ticket: the barrier would wait for it.
     *
     * @param reason why, for the log
     * @return what was done
     */
    public ShutdownReport shutdown(String reason) {
        Deadline barrier = Deadline.after(config.writerQuiescenceTimeout(), clock, "writer-quiescence");
        if (claim()) {
            return sequence.run(reason, barrier);
        }
        Deadline patience = Deadline.after(
                config.writerQuiescenceTimeout()
                        .plus(config.heartbeatStopTimeout())
                        .plus(config.leaseReleaseTimeout())
                        .plus(FOLLOWER_SLACK),
                clock,
                "shutdown-owner");
        return awaitReport(patience).orElseGet(() -> unanswered(reason));
    }

    /**
     * The same under one deadline, quietly, and with the release over a fresh connection: for the way out when a part of
     * the process hangs.
     *
     * @param reason why
     * @param deadline latest return
     * @param waitingForRelease threads that wait for this call and may belong to the lease's own heartbeat
     * @return what was done, also by another owner; empty if that owner was not done in time
     */
    public Optional<ShutdownReport> shutdownFatally(String reason, Deadline deadline, Set<Thread> waitingForRelease) {
        if (claim()) {
            return Optional.of(sequence.runFatally(reason, deadline, waitingForRelease));
        }
        return awaitReport(deadline);
    }

    /**
     * Stops everything that cannot write, step by step, each within its own bound. Runs once; a later caller gets the
     * same report.
     *
     * @param steps what to stop, in this order
     * @return what was left behind
     * @throws IllegalStateException if the lease has not been dealt with
     */
    public DrainReport drain(List<DrainStep> steps) {
        if (!claimDrain()) {
            return awaitDrain(steps);
        }
        boolean released = monitor.locked(() -> monitor.progress().report())
                .map(ShutdownReport::released)
                .orElse(false);
        DrainReport report = drainRunner.run(steps, released);
        return monitor.change(() -> monitor.progress().drained(report));
    }

    /**
     * Returns where the process is.
     *
     * @return the phase; it may have moved on when the caller looks at it
     */
    public ShutdownPhase phase() {
        return monitor.locked(this::phaseUnderLock);
    }

    /**
     * Returns one consistent reading.
     *
     * @return a copy
     */
    public ShutdownSnapshot snapshot() {
        return monitor.locked(
                () -> monitor.progress().snapshot(monitor.writers().counts()));
    }

    /**
     * Returns how long threads waited for the lock of admission and stop.
     *
     * @return totals since the start
     */
    public LockWaits lockWaits() {
        return monitor.waits();
    }

    /**
     * Returns the signal that loops end on, raised by the first request or shutdown.
     *
     * @return the signal
     */
    public StopSignal stopSignal() {
        return monitor;
    }

    /**
     * Returns the signal that cancels work in progress. The owner of the shutdown raises it before the writer barrier; its
     * callbacks run on the owner's thread.
     *
     * @return the signal; not raised by a fatal shutdown, which touches nothing that may hang
     */
    public CancelSignal begun() {
        return begun;
    }

    @Override
    public WriterTicket enter(WriterComponent component) {
        return gate.enter(component);
    }

    @Override
    public WriterTicket enter(WriterComponent component, Runnable onWaitSlice) {
        return gate.enter(component, onWaitSlice);
    }

    @Override
    public WriterTicket reserve(WriterComponent component) {
        return gate.reserve(component);
    }

    @Override
    public WriterTicket reserve(WriterComponent component, WriterTicket parent) {
        return gate.reserve(component, parent);
    }

    @Override
    public boolean closed() {
        return gate.closed();
    }

    @Override
    public boolean hasActive(Set<WriterComponent> components) {
        return gate.hasActive(components);
    }

    void raiseBegun(String reason) {
        begun.cancel(reason);
    }

    OptionalInt signal() {
        return monitor.locked(() -> monitor.progress().signal());
    }

    /** Waits until no writer is open and records the outcome. */
    QuiescenceResult quiesce(Deadline deadline) {
        long start = clock.nanoTime();
        return monitor.await(() -> monitor.writers().none(), deadline, () -> {
            boolean quiet = monitor.writers().none();
            Duration elapsed = Duration.ofNanos(clock.nanoTime() - start);
            QuiescenceResult result =
                    new QuiescenceResult(quiet, elapsed, monitor.writers().counts());
            monitor.progress().quiescence(result);
            if (quiet) {
                monitor.progress().moveTo(ShutdownPhase.WRITERS_QUIESCED);
            }
            return result;
        });
    }

    /** Takes the one right to release; refused while a writer is open. From here on nothing is admitted. */
    boolean claimRelease() {
        return monitor.locked(() -> {
            if (!monitor.writers().none()) {
                return false;
            }
            monitor.progress().claimRelease();
            return true;
        });
    }

    /** Records the end of the release and publishes the report. */
    ShutdownReport released(String reason, QuiescenceResult quiescence, LeasePort.Outcome outcome, Duration took) {
        return monitor.change(() -> {
            monitor.progress().released(outcome, took, clock.nanoTime());
            return publish(reason, quiescence, Optional.of(outcome));
        });
    }

    /** Records that the lease is kept and publishes the report. */
    ShutdownReport withheld(String reason, QuiescenceResult quiescence) {
        return monitor.change(() -> {
            monitor.progress().moveTo(ShutdownPhase.RELEASE_WITHHELD);
            return publish(reason, quiescence, Optional.empty());
        });
    }

    private ShutdownReport publish(String reason, QuiescenceResult quiescence, Optional<LeasePort.Outcome> lease) {
        ShutdownReport report = new ShutdownReport(reason, monitor.progress().signal(), quiescence, lease);
        monitor.progress().report(report);
        return report;
    }

    private ShutdownPhase phaseUnderLock() {
        return monitor.progress().phase();
    }

    private boolean claim() {
        return monitor.change(() -> {
            if (phaseUnderLock().owned()) {
                return false;
            }
            monitor.progress().moveTo(ShutdownPhase.QUIESCING_WRITERS);
            return true;
        });
    }

    private boolean claimDrain() {
        return monitor.change(() -> {
            ShutdownPhase phase = phaseUnderLock();
            if (!phase.leaseHandled()) {
                throw new IllegalStateException("drain before the lease was dealt with: " + phase);
            }
            if (!phase.mayMoveTo(ShutdownPhase.DRAINING_NON_WRITERS)) {
                return false;
            }
            monitor.progress().moveTo(ShutdownPhase.DRAINING_NON_WRITERS);
            return true;
        });
    }

    private Optional<ShutdownReport> awaitReport(Deadline deadline) {
        return monitor.await(
                () -> monitor.progress().report().isPresent(),
                deadline,
                () -> monitor.progress().report());
    }

    private DrainReport awaitDrain(List<DrainStep> steps) {
        Duration longest = steps.stream().map(DrainStep::bound).reduce(FOLLOWER_SLACK, Duration::plus);
        Deadline deadline = Deadline.after(longest, clock, "drain-owner");
        Optional<DrainReport> drained = monitor.await(
                () -> monitor.progress().drain().isPresent(),
                deadline,
                () -> monitor.progress().drain());
        return drained.orElseGet(() ->
                new DrainReport(longest, steps.stream().map(DrainStep::name).toList()));
    }

    /** What a follower can say when the owner never came back: the effect of a release is unknown. */
    private ShutdownReport unanswered(String reason) {
        QuiescenceResult unknown = new QuiescenceResult(true, Duration.ZERO, new TreeMap<>());
        return new ShutdownReport(
                reason, signal(), snapshot().quiescence().orElse(unknown), Optional.of(LeasePort.Outcome.TIMEOUT));
    }
}
