package org.prismpool.sharewriter.lease;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.shutdown.LeasePort;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.LedgerDeadlineException;
import org.prismpool.sharewriter.LedgerUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease that makes this process the only writer: acquire, keep, verify, give back.
 *
 * <p>Use: {@link #takeGuard}, then migrate the schema if wanted, then {@link #acquire}, which starts the heartbeat. The
 * verdict is a volatile snapshot that anyone may read. When authority is lost, {@link LeaseLoss} ends the process.
 */
public final class WriterLease implements LeasePort, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WriterLease.class);
    private static final long WAIT_SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final LeaseStore store;
    private final LeaseConfig config;
    private final LeaseLoss loss;
    private final LeaseEvents events;
    private final MonotonicClock clock;
    private final WriterFence fence;

    // Written by the acquiring thread before the heartbeat starts.
    private LeaseStore.@Nullable LeaseGuard guard;
    private long guardSinceNanos;
    private volatile @Nullable LeaseHeartbeat heartbeat;
    private volatile boolean released;

    /**
     * Creates a lease that is not yet acquired.
     *
     * @param store lease row and guard
     * @param config settings
     * @param loss ends the process when authority is gone
     * @param events told about waits
     * @param clock clock of budgets and waits
     */
    public WriterLease(LeaseStore store, LeaseConfig config, LeaseLoss loss, LeaseEvents events, MonotonicClock clock) {
        this.store = store;
        this.config = config;
        this.loss = loss;
        this.events = events;
        this.clock = clock;
        this.fence = new WriterFence(config.identity(), config.ttl());
    }

    /**
     * Waits, without bound, until no other session of the same id and epoch lives, and keeps it so.
     *
     * @param cancel ends the wait
     * @throws org.prismpool.lifecycle.time.CancelledException if cancelled
     * @throws org.prismpool.sharewriter.LedgerException if the database fails
     */
    public void takeGuard(CancelSignal cancel) {
        if (guard != null) {
            return;
        }
        long start = clock.nanoTime();
        boolean told = false;
        while (true) {
            Optional<LeaseStore.LeaseGuard> taken = store.tryGuard(config.identity());
            if (taken.isPresent()) {
                guard = taken.get();
                guardSinceNanos = clock.nanoTime();
                return;
            }
            events.waiting(Optional.empty(), config.timing().guardPoll(), waited(start));
            if (!told) {
                told = true;
                LOG.atInfo()
                        .addKeyValue("writer_id", config.identity().writerId())
                        .addKeyValue("writer_epoch", config.identity().epoch())
                        .log("another live session of this writer holds the guard; waiting");
            }
            pause(config.timing().guardPoll(), cancel);
        }
    }

    /**
     * Takes the lease and starts the heartbeat; waits for a predecessor of the same id and epoch as long as it lives.
     *
     * @param cancel ends the wait
     * @throws LeaseHeldElsewhereException if another writer holds an unexpired lease
     * @throws org.prismpool.lifecycle.time.CancelledException if cancelled
     * @throws org.prismpool.sharewriter.WriterFencedException if the first verification already fails
     * @throws LedgerDeadlineException if the lease row stays locked through all attempts
     * @throws org.prismpool.sharewriter.LedgerException if the database fails otherwise
     */
    public void acquire(CancelSignal cancel) {
        takeGuard(cancel);
        LeaseStore.LeaseGuard held = guard;
        if (held == null || heartbeat != null) {
            throw new IllegalStateException("a lease is acquired once");
        }
        long start = clock.nanoTime();
        boolean adopted;
        try {
            adopted = takeLease(start, cancel);
        } catch (RuntimeException refused) {
            held.close(); // a failed start must not keep others waiting at the guard
            guard = null;
            throw refused;
        }
        LeaseHeartbeat started = new LeaseHeartbeat(held, config, loss, fence, clock);
        heartbeat = started;
        started.start();
        fence.check();
        events.acquired(adopted, waited(start));
    }

    /** Returns true if a silent predecessor was adopted, false for an ordinary claim. */
    private boolean takeLease(long startNanos, CancelSignal cancel) {
        while (true) {
            Optional<LeaseHolder> holder =
                    bounded(() -> store.claim(config.identity(), config.ttl(), config.acquireLockTimeout()), cancel);
            if (holder.isEmpty()) {
                return false;
            }
            LeaseState.AcquireStep step = LeaseState.onHolder(
                    config.identity(),
                    holder.get(),
                    clock.nanoTime() - guardSinceNanos,
                    config.timing().silence());
            if (step.action() == LeaseState.AcquireAction.FAIL) {
                throw new LeaseHeldElsewhereException(holder.get());
            }
            if (step.action() == LeaseState.AcquireAction.ADOPT) {
                if (bounded(
                        () -> store.adopt(config.identity(), holder.get(), config.ttl(), config.acquireLockTimeout()),
                        cancel)) {
                    return true;
                }
                continue; // the row moved: look again, a full silence has to pass anew
            }
            events.waiting(holder, step.pause(), waited(startNanos));
            pause(step.pause(), cancel);
        }
    }

    /**
     * Returns the token that writes need.
     *
     * @return the fence of this session, closed once the lease is lost or released
     */
    public WriterFence fence() {
        return fence;
    }

    /**
     * Returns what this session may do, as last proven; never blocks.
     *
     * @return the verdict
     */
    public LeaseVerdict verdict() {
        if (released) {
            return LeaseVerdict.RELEASED;
        }
        LeaseHeartbeat beating = heartbeat;
        return beating == null ? LeaseVerdict.ABSENT : beating.verdict();
    }

    /**
     * Returns how long ago the server last proved the lease; never blocks.
     *
     * @return age, zero before the acquisition
     */
    public Duration provenAge() {
        LeaseHeartbeat beating = heartbeat;
        return beating == null ? Duration.ZERO : beating.provenAge();
    }

    /**
     * Verifies the lease now, as close as possible before a mutating call to the node or wallet; blocks up to the two
     * statement timeouts plus the wait for the guard connection.
     *
     * @return whether the call may be made
     */
    public ExternalAuthority verifyExternal() {
        LeaseHeartbeat beating = heartbeat;
        if (beating == null || released) {
            return ExternalAuthority.REFUSED;
        }
        return beating.verifyExternal();
    }

    @Override
    public boolean supported() {
        return heartbeat != null;
    }

    @Override
    public boolean stopHeartbeat(Duration bound, Set<Thread> waitingForRelease) {
        LeaseHeartbeat beating = heartbeat;
        return beating == null || beating.stop(bound, waitingForRelease);
    }

    @Override
    public Outcome release(Deadline deadline) {
        return releaseOnce(deadline);
    }

    @Override
    public Outcome releaseFreshConnection(Deadline deadline) {
        return releaseOnce(deadline);
    }

    private Outcome releaseOnce(Deadline deadline) {
        fence.close(); // first: a write that slipped in after the release would revive the lease
        boolean held;
        try {
            held = store.release(config.identity(), deadline);
        } catch (LedgerDeadlineException late) {
            return Outcome.TIMEOUT;
        }
        released = true;
        LeaseStore.LeaseGuard open = guard;
        if (open != null) {
            open.close();
        }
        return held ? Outcome.SUCCESS : Outcome.NOT_HELD;
    }

    /**
     * Stops the heartbeat and releases, for programs without a shutdown controller. Call it when nothing writes any more.
     *
     * @param bound longest time for each of both steps
     * @return what became of the release; {@link Outcome#FAILURE} if the heartbeat did not stop, then without a release
     */
    public Outcome giveBack(Duration bound) {
        if (!stopHeartbeat(bound, Set.of())) {
            return Outcome.FAILURE;
        }
        return release(Deadline.after(bound, clock, "lease-release"));
    }

    /** Stops the heartbeat and drops the guard without releasing: the lease then runs out by itself. */
    @Override
    public void close() {
        fence.close();
        LeaseHeartbeat beating = heartbeat;
        if (beating != null && !beating.stop(config.timing().silence(), Set.of())) {
            LOG.atWarn().log("lease heartbeat did not stop in time");
        }
        LeaseStore.LeaseGuard open = guard;
        if (open != null) {
            open.close();
        }
    }

    /** Repeats a statement that met a lock, so that an orphaned transaction on the row can time out meanwhile. */
    private <T> T bounded(java.util.function.Supplier<T> statement, CancelSignal cancel) {
        for (int attempt = 1; ; attempt++) {
            cancel.throwIfCancelled();
            try {
                return statement.get();
            } catch (LedgerDeadlineException | LedgerUnavailableException locked) {
                if (attempt >= config.acquireAttempts()) {
                    throw new LedgerDeadlineException(
                            "writer lease could not be acquired in " + attempt
                                    + " attempts; the lease row is probably locked by an orphaned transaction",
                            locked);
                }
            }
        }
    }

    private Duration waited(long startNanos) {
        return Duration.ofNanos(clock.nanoTime() - startNanos);
    }

    private void pause(Duration wait, CancelSignal cancel) {
        long end = clock.nanoTime() + wait.toNanos();
        for (long left = wait.toNanos(); left > 0; left = end - clock.nanoTime()) {
            cancel.throwIfCancelled();
            LockSupport.parkNanos(Math.min(left, WAIT_SLICE_NANOS));
            if (Thread.interrupted()) {
                Thread.currentThread().interrupt();
                throw new org.prismpool.lifecycle.time.CancelledException("interrupted while waiting for the lease");
            }
        }
    }
}
