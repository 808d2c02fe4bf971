package org.prismpool.lifecycle.watchdog;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.event.LifecycleEvent;
import org.prismpool.lifecycle.event.LifecycleEvents;
import org.prismpool.lifecycle.shutdown.LeasePort;
import org.prismpool.lifecycle.shutdown.ShutdownController;
import org.prismpool.lifecycle.shutdown.ShutdownReport;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one way out of a process that must be replaced: claims a reason for good, tries to release the lease within one
 * budget, and halts with code 1 whatever happens.
 *
 * <p>Thread-safe; the first claim wins. Nothing is written before the release is over, and the writing happens on the
 * release thread, so a full log pipe cannot delay the exit beyond the budget. Source: spec 08 section 3.7.
 */
public final class FatalShutdown {

    private static final Logger LOG = LoggerFactory.getLogger(FatalShutdown.class);
    private static final int EXIT_CODE = 1;
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(10); // a hand-moved clock wakes nobody

    private final FatalConfig config;
    private final ShutdownController controller;
    private final ProcessExit exit;
    private final MonotonicClock clock;
    private final LifecycleEvents events;
    private final Supplier<? extends Map<String, ?>> refreshState;
    private final ThreadFactory threads;
    private final AtomicReference<@Nullable FatalReason> claimed = new AtomicReference<>();
    private final AtomicReference<@Nullable FatalOutcome> outcome = new AtomicReference<>();
    private final AtomicInteger attempts = new AtomicInteger();

    /**
     * Creates the way out.
     *
     * @param config budgets
     * @param controller closes admission, waits for writers and releases
     * @param exit ends the process
     * @param clock monotonic clock of the budget
     * @param events told of the exit, after the release
     * @param refreshState what the refresh driver does, for the event; must not block
     */
    public FatalShutdown(
            FatalConfig config,
            ShutdownController controller,
            ProcessExit exit,
            MonotonicClock clock,
            LifecycleEvents events,
            Supplier<? extends Map<String, ?>> refreshState) {
        this(config, controller, exit, clock, events, refreshState, FatalShutdown::daemon);
    }

    FatalShutdown(
            FatalConfig config,
            ShutdownController controller,
            ProcessExit exit,
            MonotonicClock clock,
            LifecycleEvents events,
            Supplier<? extends Map<String, ?>> refreshState,
            ThreadFactory threads) {
        this.config = Objects.requireNonNull(config, "config");
        this.controller = Objects.requireNonNull(controller, "controller");
        this.exit = Objects.requireNonNull(exit, "exit");
        this.clock = Objects.requireNonNull(clock, "clock");
        this.events = Objects.requireNonNull(events, "events");
        this.refreshState = Objects.requireNonNull(refreshState, "refreshState");
        this.threads = Objects.requireNonNull(threads, "threads");
        rehearse();
    }

    /**
     * Claims a reason and ends the process; does nothing if another reason is claimed already, whose owner ends it.
     *
     * @param reason why
     */
    public void fire(FatalReason reason) {
        if (claim(reason)) {
            end(reason);
        }
    }

    /**
     * Claims a reason for good: later good news cannot take it back. The caller must then call {@link #end}.
     *
     * @param reason why
     * @return true if this call claimed it
     */
    public boolean claim(FatalReason reason) {
        return claimed.compareAndSet(null, Objects.requireNonNull(reason, "reason"));
    }

    /**
     * Ends the process for a claimed reason, within the budget of that reason.
     *
     * @param reason the reason that this caller claimed
     */
    public void end(FatalReason reason) {
        try {
            Deadline deadline = Deadline.after(config.budgetFor(reason), clock, "fatal-shutdown");
            Set<Thread> waiting = Set.of(Thread.currentThread());
            CountDownLatch done = new CountDownLatch(1);
            Thread release = threads.newThread(() -> releaseAndTell(reason, deadline, waiting, done));
            release.setName(config.threadName());
            release.start();
            awaitDoneOr(deadline, done);
        } finally {
            // Counted before the exit so that a test which records the code sees a hung release.
            outcome.compareAndSet(null, FatalOutcome.TIMEOUT);
            exit.halt(EXIT_CODE);
        }
    }

    /**
     * Tells whether a fatal exit has been decided.
     *
     * @return true once a reason is claimed
     */
    public boolean claimed() {
        return claimed.get() != null;
    }

    /**
     * Returns one reading, for liveness and metrics.
     *
     * @return a copy
     */
    public FatalSnapshot snapshot() {
        return new FatalSnapshot(
                Optional.ofNullable(claimed.get()), attempts.get(), Optional.ofNullable(outcome.get()));
    }

    private void releaseAndTell(FatalReason reason, Deadline deadline, Set<Thread> waiting, CountDownLatch done) {
        try {
            attempts.incrementAndGet();
            FatalOutcome reached = release(reason, deadline, waiting);
            outcome.compareAndSet(null, reached);
            tell(reason, reached);
        } finally {
            done.countDown();
        }
    }

    private FatalOutcome release(FatalReason reason, Deadline deadline, Set<Thread> waiting) {
        try {
            Optional<ShutdownReport> report = controller.shutdownFatally("watchdog_" + reason.id(), deadline, waiting);
            return report.flatMap(ShutdownReport::lease)
                    .map(FatalShutdown::outcomeOf)
                    .orElse(FatalOutcome.TIMEOUT);
        } catch (RuntimeException e) {
            return FatalOutcome.FAILURE;
        }
    }

    private void tell(FatalReason reason, FatalOutcome reached) {
        events.tell(event(reason, reached, refreshState.get()));
        LOG.error("watchdog: {} lease_handled={}", reason.detail(), reached == FatalOutcome.SUCCESS);
        // The halt takes a queue of log lines with it, and these two are what an operator looks for.
        events.flush();
    }

    /** Loads the classes of the way out while there is time: the shortest budget is a tenth of a second. */
    private static void rehearse() {
        FatalReason reason = new FatalReason.Publication(Duration.ZERO);
        String line = event(reason, FatalOutcome.TIMEOUT, Map.of()).toJson();
        LOG.atTrace().addKeyValue("event", line).log("the way out is ready");
    }

    private static LifecycleEvent event(FatalReason reason, FatalOutcome reached, Map<String, ?> state) {
        return LifecycleEvent.of(
                "watchdog_fatal_exit",
                Map.of(
                        "exit_code",
                        EXIT_CODE,
                        "lease_release_outcome",
                        reached.label(),
                        "qbit_blockpoll_state",
                        state,
                        "reason",
                        reason.id()));
    }

    private void awaitDoneOr(Deadline deadline, CountDownLatch done) {
        boolean interrupted = false;
        while (!deadline.expired()) {
            try {
                if (done.await(Math.min(SLICE_NANOS, deadline.remainingNanos()), TimeUnit.NANOSECONDS)) {
                    break;
                }
            } catch (InterruptedException e) {
                interrupted = true; // the exit is decided; nothing may stop it
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static FatalOutcome outcomeOf(LeasePort.Outcome lease) {
        if (lease.released()) {
            return FatalOutcome.SUCCESS;
        }
        return lease == LeasePort.Outcome.FAILURE ? FatalOutcome.FAILURE : FatalOutcome.TIMEOUT;
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    }
}
