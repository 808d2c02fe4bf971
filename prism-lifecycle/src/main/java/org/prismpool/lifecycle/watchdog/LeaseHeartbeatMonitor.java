package org.prismpool.lifecycle.watchdog;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.prismpool.lifecycle.shutdown.StopSignal;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * Watches the proof of the writer lease by three marks: the start of the last verification that succeeded, the last sign
 * of life of the heartbeat, and the last answer of the database. Ends the process when they are too old.
 *
 * <p>Thread-safe; the marks are guarded by this object's monitor, the way out runs outside it. Source: spec 08 section 4.5.
 */
public final class LeaseHeartbeatMonitor {

    private final LeaseTiming timing;
    private final MonotonicClock clock;
    private final FatalShutdown fatal;
    private long successNanos; // guarded by this, like the rest
    private long progressNanos;
    private long serverProvenNanos;
    private boolean proved;

    /**
     * Creates a monitor whose marks are all now.
     *
     * @param timing limits
     * @param clock monotonic clock
     * @param fatal the way out
     */
    public LeaseHeartbeatMonitor(LeaseTiming timing, MonotonicClock clock, FatalShutdown fatal) {
        this.timing = Objects.requireNonNull(timing, "timing");
        this.clock = Objects.requireNonNull(clock, "clock");
        this.fatal = Objects.requireNonNull(fatal, "fatal");
        long now = clock.nanoTime();
        successNanos = now;
        progressNanos = now;
        serverProvenNanos = now;
    }

    /** Records a sign of life: an attempt began, got its slot, or finished a statement. */
    public synchronized void progressed() {
        progressNanos = clock.nanoTime();
    }

    /** Records that the database answered; also a sign of life. */
    public synchronized void serverAnswered() {
        long now = clock.nanoTime();
        serverProvenNanos = now;
        progressNanos = now;
    }

    /**
     * Records a verification that succeeded. Authority counts from its start, not from its end.
     *
     * @param startedNanos reading of the clock when it began
     */
    public synchronized void verified(long startedNanos) {
        successNanos = Math.max(successNanos, startedNanos);
        progressNanos = clock.nanoTime();
        proved = true;
        notifyAll();
    }

    /**
     * Ends the process at once: a verification showed that the lease is not ours.
     *
     * @param cause what it showed, without secrets
     */
    public void refuted(String cause) {
        fatal.fire(reason(cause));
    }

    /**
     * Judges the marks.
     *
     * @return why the process must end, if it must
     */
    public Optional<FatalReason> overdue() {
        FatalReason.LeaseHeartbeat now = reason("heartbeat silent");
        if (now.activityAge().compareTo(timing.failureBudget()) >= 0) {
            return Optional.of(now);
        }
        if (now.serverProvenAge().compareTo(timing.serverProvenCap()) >= 0) {
            return Optional.of(reason("database silent"));
        }
        return Optional.empty();
    }

    /**
     * Looks once and ends the process if it must.
     *
     * @return true if the lease is proved well enough
     */
    public boolean look() {
        Optional<FatalReason> reason = overdue();
        reason.ifPresent(fatal::fire);
        return reason.isEmpty();
    }

    /**
     * Tells whether any verification has succeeded.
     *
     * @return true from the first success
     */
    public synchronized boolean proved() {
        return proved;
    }

    /**
     * Waits for the first proof; each sign of life gives it the whole failure budget again. Ends the process if it stays
     * silent.
     *
     * @return true if the lease is proved
     * @throws InterruptedException if the calling thread is interrupted
     */
    public boolean awaitFirstProof() throws InterruptedException {
        while (!proved()) {
            if (!look()) {
                return false;
            }
            synchronized (this) {
                if (!proved) {
                    wait(Math.max(1L, timing.monitorTick().toMillis()));
                }
            }
        }
        return true;
    }

    /**
     * Looks at every tick until stopped or until the process must end. Runs on a thread of the lease's owner, since it
     * has to outlive the services: a withheld lease is watched until the exit.
     *
     * @param stop raised when the heartbeat is stopped for the release
     * @throws InterruptedException if the thread is interrupted
     */
    public void run(StopSignal stop) throws InterruptedException {
        boolean watching = look();
        while (watching && !stop.await(timing.monitorTick())) {
            watching = look();
        }
    }

    private synchronized FatalReason.LeaseHeartbeat reason(String cause) {
        long now = clock.nanoTime();
        long activity = now - Math.max(successNanos, progressNanos);
        return new FatalReason.LeaseHeartbeat(
                cause, Duration.ofNanos(activity), Duration.ofNanos(now - serverProvenNanos));
    }
}
