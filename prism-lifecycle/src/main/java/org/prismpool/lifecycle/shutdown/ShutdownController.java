package org.prismpool.lifecycle.shutdown;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
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

    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(50); // a hand-moved clock wakes nobody
    private static final long ADMISSION_SLICE_MILLIS = 250;
    private static final Duration FOLLOWER_SLACK = Duration.ofSeconds(5);

    private final ShutdownConfig config;
    private final MonotonicClock clock;
    private final ShutdownSequence sequence;
    private final DrainRunner drainRunner;
    private final CancelSource begun = new CancelSource();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Condition stopRaised = lock.newCondition();
    private final OpenWriters writers = new OpenWriters(); // guarded by lock
    private final ShutdownProgress progress = new ShutdownProgress(); // guarded by lock
    private final StopSignal stop = new RaisedByRequest();

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
        lock.lock();
        try {
            progress.signalled(signal, clock.nanoTime());
            if (progress.phase() == ShutdownPhase.RUNNING) {
                progress.moveTo(ShutdownPhase.REQUESTED);
                stopRaised.signalAll();
            }
        } finally {
            lock.unlock();
        }
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
        boolean released;
        boolean owner;
        lock.lock();
        try {
            if (!progress.phase().leaseHandled()) {
                throw new IllegalStateException("drain before the lease was dealt with: " + progress.phase());
            }
            owner = progress.phase() != ShutdownPhase.DRAINING_NON_WRITERS
                    && progress.phase() != ShutdownPhase.COMPLETE;
            if (owner) {
                progress.moveTo(ShutdownPhase.DRAINING_NON_WRITERS);
            }
            released = progress.report().map(ShutdownReport::released).orElse(false);
        } finally {
            lock.unlock();
        }
        if (owner) {
            DrainReport report = drainRunner.run(steps, released);
            return change(() -> progress.drained(report));
        }
        return awaitDrain(steps);
    }

    /**
     * Returns where the process is.
     *
     * @return the phase; it may have moved on when the caller looks at it
     */
    public ShutdownPhase phase() {
        return locked(progress::phase);
    }

    /**
     * Returns one consistent reading.
     *
     * @return a copy
     */
    public ShutdownSnapshot snapshot() {
        return locked(() -> progress.snapshot(writers.counts()));
    }

    /**
     * Returns the signal that loops end on, raised by the first request or shutdown.
     *
     * @return the signal
     */
    public StopSignal stopSignal() {
        return stop;
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
        lock.lock();
        return admitEntered(component);
    }

    @Override
    public WriterTicket enter(WriterComponent component, Runnable onWaitSlice) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (lock.tryLock(ADMISSION_SLICE_MILLIS, TimeUnit.MILLISECONDS)) {
                        return admitEntered(component);
                    }
                    onWaitSlice.run();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public WriterTicket reserve(WriterComponent component) {
        lock.lock();
        try {
            admit(component, writers.holds(Thread.currentThread()));
            return new Ticket(component, Optional.empty());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public WriterTicket reserve(WriterComponent component, WriterTicket parent) {
        if (!(parent instanceof Ticket ticket) || !ticket.belongsTo(this)) {
            throw new IllegalArgumentException("ticket of another gate");
        }
        lock.lock();
        try {
            admit(component, parent.open());
            return new Ticket(component, Optional.empty());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean closed() {
        return phase() != ShutdownPhase.RUNNING;
    }

    @Override
    public boolean hasActive(Set<WriterComponent> components) {
        return locked(() -> writers.anyOf(components));
    }

    CancelSource begunSource() {
        return begun;
    }

    /** Waits until no writer is open and records the outcome. */
    QuiescenceResult quiesce(Deadline deadline) {
        long start = clock.nanoTime();
        lock.lock();
        try {
            boolean quiet = awaitUnderLock(writers::none, deadline);
            QuiescenceResult result =
                    new QuiescenceResult(quiet, Duration.ofNanos(clock.nanoTime() - start), writers.counts());
            progress.quiescence(result);
            if (quiet) {
                progress.moveTo(ShutdownPhase.WRITERS_QUIESCED);
            }
            return result;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the one right to release; refused while a writer is open. From here on nothing is admitted. */
    boolean claimRelease() {
        return locked(() -> {
            if (!writers.none()) {
                return false;
            }
            progress.claimRelease();
            return true;
        });
    }

    /** Records the end of the release and publishes the report. */
    ShutdownReport released(String reason, QuiescenceResult quiescence, LeasePort.Outcome outcome, Duration took) {
        return change(() -> {
            progress.released(outcome, took, clock.nanoTime());
            return publish(new ShutdownReport(reason, progress.signal(), quiescence, Optional.of(outcome)));
        });
    }

    /** Records that the lease is kept and publishes the report. */
    ShutdownReport withheld(String reason, QuiescenceResult quiescence) {
        return change(() -> {
            progress.moveTo(ShutdownPhase.RELEASE_WITHHELD);
            return publish(new ShutdownReport(reason, progress.signal(), quiescence, Optional.empty()));
        });
    }

    OptionalInt signal() {
        return locked(progress::signal);
    }

    private ShutdownReport publish(ShutdownReport report) {
        progress.report(report);
        return report;
    }

    private boolean claim() {
        lock.lock();
        try {
            if (progress.phase().ordinal() >= ShutdownPhase.QUIESCING_WRITERS.ordinal()) {
                return false;
            }
            progress.moveTo(ShutdownPhase.QUIESCING_WRITERS);
            stopRaised.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private Optional<ShutdownReport> awaitReport(Deadline deadline) {
        lock.lock();
        try {
            awaitUnderLock(() -> progress.report().isPresent(), deadline);
            return progress.report();
        } finally {
            lock.unlock();
        }
    }

    private DrainReport awaitDrain(List<DrainStep> steps) {
        Duration longest = steps.stream().map(DrainStep::bound).reduce(FOLLOWER_SLACK, Duration::plus);
        lock.lock();
        try {
            awaitUnderLock(
                    () -> progress.drain().isPresent(), Deadline.after(longest, clock, "drain-owner"));
            return progress.drain()
                    .orElseGet(() -> new DrainReport(
                            longest, steps.stream().map(DrainStep::name).toList()));
        } finally {
            lock.unlock();
        }
    }

    /** What a follower can say when the owner never came back: the effect of a release is unknown. */
    private ShutdownReport unanswered(String reason) {
        QuiescenceResult none = new QuiescenceResult(true, Duration.ZERO, new TreeMap<>());
        return new ShutdownReport(
                reason,
                signal(),
                snapshot().quiescence().orElse(none),
                Optional.of(LeasePort.Outcome.TIMEOUT));
    }

    private WriterTicket admitEntered(WriterComponent component) {
        try {
            Thread thread = Thread.currentThread();
            admit(component, writers.holds(thread));
            writers.addHolder(thread);
            return new Ticket(component, Optional.of(thread));
        } finally {
            lock.unlock();
        }
    }

    private void admit(WriterComponent component, boolean inherits) {
        if (progress.releaseClaimed()) {
            throw new ShutdownInProgressException(component, true);
        }
        if (progress.phase() != ShutdownPhase.RUNNING && !inherits) {
            throw new ShutdownInProgressException(component, false);
        }
        writers.add(component);
    }

    private boolean remove(Ticket ticket) {
        writers.remove(ticket.component());
        ticket.holder.ifPresent(writers::removeHolder);
        return true;
    }

    /** Changes the state and wakes everyone who waits for a part of it. */
    private <T> T change(Supplier<T> change) {
        lock.lock();
        try {
            T result = change.get();
            if (progress.phase() != ShutdownPhase.RUNNING) {
                changed.signalAll();
            }
            return result;
        } finally {
            lock.unlock();
        }
    }

    private <T> T locked(Supplier<T> read) {
        lock.lock();
        try {
            return read.get();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a condition of the guarded state; an interrupt is kept for the caller and does not end the wait. */
    private boolean awaitUnderLock(BooleanSupplier condition, Deadline deadline) {
        boolean interrupted = false;
        try {
            while (!condition.getAsBoolean()) {
                if (deadline.expired()) {
                    return false;
                }
                try {
                    changed.awaitNanos(Math.min(SLICE_NANOS, deadline.remainingNanos()));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** One open piece of writing work. */
    private final class Ticket implements WriterTicket {

        private final WriterComponent component;
        private final Optional<Thread> holder; // the thread that later entries inherit on
        private final AtomicBoolean finished = new AtomicBoolean();

        private Ticket(WriterComponent component, Optional<Thread> holder) {
            this.component = component;
            this.holder = holder;
        }

        private boolean belongsTo(ShutdownController gate) {
            return ShutdownController.this == gate;
        }

        @Override
        public WriterComponent component() {
            return component;
        }

        @Override
        public boolean open() {
            return !finished.get();
        }

        @Override
        public void close() {
            if (finished.compareAndSet(false, true)) {
                change(() -> remove(this));
            }
        }
    }

    /** The stop signal of this controller. */
    private final class RaisedByRequest implements StopSignal {

        @Override
        public boolean requested() {
            return closed();
        }

        @Override
        public boolean await(Duration longest) throws InterruptedException {
            long remaining = longest.toNanos();
            lock.lockInterruptibly();
            try {
                while (progress.phase() == ShutdownPhase.RUNNING) {
                    if (remaining <= 0L) {
                        return false;
                    }
                    remaining = stopRaised.awaitNanos(remaining);
                }
                return true;
            } finally {
                lock.unlock();
            }
        }
    }
}
