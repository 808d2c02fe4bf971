package org.prismpool.sharewriter.lease;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.LedgerException;

/**
 * Keeps the lease alive on the guard connection and ends the process when it can no longer prove its authority.
 *
 * <p>Two threads: the heartbeat verifies, the monitor only compares times and therefore cannot be blocked by a socket.
 * The guard connection is used under {@link #slot}, by the heartbeat or by a caller about to make an external call; the
 * lock is held across the statement on purpose, because that connection has no other use.
 */
final class LeaseHeartbeat {

    private final LeaseStore.LeaseGuard guard;
    private final LeaseConfig config;
    private final LeaseLoss loss;
    private final WriterFence fence;
    private final MonotonicClock clock;
    private final ReentrantLock slot = new ReentrantLock(true);
    private final ReentrantLock pauseLock = new ReentrantLock();
    private final Condition pauseEnded = pauseLock.newCondition();
    private final AtomicBoolean lost = new AtomicBoolean();
    private final Thread beats;
    private final Thread monitor;

    private volatile boolean stopping;
    private volatile LeaseVerdict verdict = LeaseVerdict.HELD;
    private volatile long progressNanos; // any thread that uses the guard
    private volatile long answeredNanos; // completion of the last answered round trip, for the monitor
    private volatile long provenNanos; // its start, for everyone else: the answer may have been under way for long
    private volatile @Nullable Thread losing;

    @SuppressWarnings("ThreadPriorityCheck") // a starved heartbeat ends the process: it goes before everything else
    LeaseHeartbeat(
            LeaseStore.LeaseGuard guard, LeaseConfig config, LeaseLoss loss, WriterFence fence, MonotonicClock clock) {
        this.guard = guard;
        this.config = config;
        this.loss = loss;
        this.fence = fence;
        this.clock = clock;
        this.beats = new Thread(this::beat, "prism-ledger-lease-heartbeat");
        this.monitor = new Thread(this::watch, "prism-ledger-lease-monitor");
        for (Thread thread : new Thread[] {beats, monitor}) {
            thread.setDaemon(true);
            thread.setPriority(Thread.MAX_PRIORITY);
        }
    }

    /** Verifies once on the calling thread, under the monitor's budgets, then keeps verifying. */
    void start() {
        long now = clock.nanoTime();
        progressNanos = now;
        answeredNanos = now;
        provenNanos = now;
        monitor.start();
        verify();
        beats.start();
    }

    LeaseVerdict verdict() {
        return verdict;
    }

    Duration provenAge() {
        return Duration.ofNanos(clock.nanoTime() - provenNanos);
    }

    ExternalAuthority verifyExternal() {
        Duration queue = config.timing().failureBudget();
        long bound = Math.max(TimeUnit.SECONDS.toNanos(1), queue.toNanos());
        try {
            if (!slot.tryLock(bound, TimeUnit.NANOSECONDS)) {
                lose("the guard connection was not free for an external verification");
                return ExternalAuthority.REFUSED;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return ExternalAuthority.DEFERRED;
        }
        try {
            return stopping ? ExternalAuthority.REFUSED : authority(verifyHoldingSlot());
        } finally {
            slot.unlock();
        }
    }

    boolean stop(Duration bound, Set<Thread> waitingForRelease) {
        stopping = true;
        pauseLock.lock();
        try {
            pauseEnded.signalAll();
        } finally {
            pauseLock.unlock();
        }
        long end = System.nanoTime() + bound.toNanos();
        boolean beatsEnded = joined(beats, end, waitingForRelease);
        return joined(monitor, end, waitingForRelease) && beatsEnded;
    }

    private boolean joined(Thread thread, long endNanos, Set<Thread> waitingForRelease) {
        Thread self = Thread.currentThread();
        // The thread that reported the loss waits for the very release that asks it to stop.
        if (thread.equals(self) || thread.equals(losing) || waitingForRelease.contains(thread)) {
            return true;
        }
        try {
            long left = endNanos - System.nanoTime();
            if (left > 0) {
                TimeUnit.NANOSECONDS.timedJoin(thread, left);
            }
        } catch (InterruptedException interrupted) {
            self.interrupt();
        }
        return !thread.isAlive();
    }

    private void beat() {
        while (!stopping) {
            slot.lock();
            try {
                if (stopping || endsForSilence()) {
                    return;
                }
                verifyHoldingSlot();
            } finally {
                slot.unlock();
            }
            pause(config.timing().heartbeatInterval());
        }
    }

    private void verify() {
        slot.lock();
        try {
            verifyHoldingSlot();
        } finally {
            slot.unlock();
        }
    }

    private LeaseState.HeartbeatStep verifyHoldingSlot() {
        LeaseState.HeartbeatStep step;
        try {
            step = LeaseState.onHeartbeat(roundTrip(), false);
            if (step == LeaseState.HeartbeatStep.RECHECK) {
                step = LeaseState.onHeartbeat(roundTrip(), true);
            }
        } catch (LedgerException broken) {
            if (!stopping) {
                lose("lease verification failed: " + broken.getMessage());
            }
            return LeaseState.HeartbeatStep.LOST;
        }
        if (step == LeaseState.HeartbeatStep.LOST) {
            lose("the lease or its guard no longer names this session");
        } else if (!lost.get()) {
            verdict = step == LeaseState.HeartbeatStep.DEFERRED ? LeaseVerdict.HELD_NO_EXTERNAL : LeaseVerdict.HELD;
        }
        return step;
    }

    private HeartbeatReport roundTrip() {
        long started = clock.nanoTime();
        progressNanos = started;
        HeartbeatReport report = guard.verify(config.ttl(), config.authorityMargin());
        provenNanos = started;
        long answered = clock.nanoTime();
        answeredNanos = answered;
        progressNanos = answered;
        return report;
    }

    private void watch() {
        while (!stopping && !lost.get() && !endsForSilence()) {
            pause(config.timing().monitorPoll());
        }
    }

    /**
     * Asked by both threads: when a stopped process goes on, a beat that comes before the monitor must not cover up how
     * long it was silent.
     */
    private boolean endsForSilence() {
        boolean silent = LeaseState.silentTooLong(clock.nanoTime(), progressNanos, answeredNanos, config.timing());
        if (silent) {
            lose("the lease heartbeat made no progress within its budget");
        }
        return silent;
    }

    private void lose(String reason) {
        if (!lost.compareAndSet(false, true)) {
            return;
        }
        losing = Thread.currentThread();
        verdict = LeaseVerdict.LOST;
        fence.close();
        loss.lost(reason);
    }

    private static ExternalAuthority authority(LeaseState.HeartbeatStep step) {
        return switch (step) {
            case HEALTHY -> ExternalAuthority.GRANTED;
            case DEFERRED -> ExternalAuthority.DEFERRED;
            case RECHECK, LOST -> ExternalAuthority.REFUSED;
        };
    }

    private void pause(Duration time) {
        pauseLock.lock();
        try {
            long left = time.toNanos();
            while (!stopping && left > 0) {
                left = pauseEnded.awaitNanos(left);
            }
        } catch (InterruptedException interrupted) {
            stopping = true; // only close interrupts these threads
        } finally {
            pauseLock.unlock();
        }
    }
}
