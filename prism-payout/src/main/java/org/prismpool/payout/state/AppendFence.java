package org.prismpool.payout.state;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * Keeps reward windows and share commits consistent (spec 07 §6.4, 06 §2.7): a row that becomes durable below a live
 * anchor moves the append epoch, and no block that the node has not seen is offered past such a row.
 *
 * <p>Thread-safe. State is guarded by {@code lock}, which is never held while waiting for {@code landing}. The landing
 * fence is held across one commit or one offer, never across both, and every wait for it has a deadline.
 */
public final class AppendFence {

    private static final long SLICE_NANOS = Duration.ofMillis(50).toNanos();

    private final MonotonicClock clock;
    private final AppendListener listener;
    private final Duration fenceTimeout;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition appended = lock.newCondition();
    private final Semaphore landing = new Semaphore(1, true);
    private final AppendEpochs epochs = new AppendEpochs();
    private final LiveAnchors anchors;
    private final Map<Long, Long> unfenced = new HashMap<>(); // ticket id -> smallest stamp of its rows
    private long nextTicket;

    /**
     * Creates a fence at epoch 0 with no live anchor.
     *
     * @param maxAnchorAge age at which a forgotten exposure stops to count
     * @param fenceTimeout longest wait of an append for a landing in progress
     * @param listener told of every bump
     * @param clock monotonic clock
     */
    public AppendFence(Duration maxAnchorAge, Duration fenceTimeout, AppendListener listener, MonotonicClock clock) {
        this.anchors = new LiveAnchors(maxAnchorAge.toNanos());
        this.fenceTimeout = fenceTimeout;
        this.listener = listener;
        this.clock = clock;
    }

    /**
     * Returns the append epoch.
     *
     * @return 0 at start, one more per bump
     */
    public long epoch() {
        return epochs.epoch(); // without the lock: every check of a commit reads it
    }

    /**
     * Makes an anchor live before its window is read.
     *
     * @param anchorMs anchor of the window
     * @return handle with the epoch to stamp the result with
     */
    public AnchorExposure expose(long anchorMs) {
        lock.lock();
        try {
            return new Exposure(anchors.expose(anchorMs, clock.nanoTime()), anchorMs, epochs.epoch());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes the anchor of the incrementally kept window live instead of its previous one.
     *
     * @param anchorMs anchor, or empty when no window is kept
     */
    public void keptWindow(OptionalLong anchorMs) {
        locked(() -> anchors.window(anchorMs));
    }

    /**
     * Makes the anchor of the armed window live instead of its previous one.
     *
     * @param anchorMs anchor of the window that serves builds from now on
     */
    public void arm(long anchorMs) {
        locked(() -> anchors.arm(anchorMs));
    }

    /** Retires the armed window; its anchor stays live through the mark, since jobs built at it may still land. */
    public void disarm() {
        locked(anchors::disarm);
    }

    /**
     * Raises the mark of published jobs.
     *
     * @param anchorMs anchor of a job that goes out
     */
    public void published(long anchorMs) {
        locked(() -> anchors.raise(anchorMs));
    }

    /**
     * Tells whether work built on a window still contains every durable row.
     *
     * @param anchorMs anchor of its window
     * @param baseline append epoch that it was built under; negative if unknown
     * @return false if a bump after the baseline predates the anchor, or if that can't be told
     */
    public boolean survives(long anchorMs, long baseline) {
        lock.lock();
        try {
            return epochs.survives(anchorMs, baseline);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Classifies a batch before its commit. Waits for a landing in progress only if a row predates a live anchor.
     *
     * @param rows stamps of the rows; not empty
     * @return ticket to be closed after the commit, whatever became of it
     * @throws AppendFenceTimeoutException if the fence did not become free; nothing may be committed then
     * @throws InterruptedException if the caller is interrupted while it waits
     */
    public AppendTicket begin(List<RowStamp> rows) throws InterruptedException {
        List<RowStamp> stamps = List.copyOf(rows);
        long earliest = stamps.stream()
                .mapToLong(RowStamp::visibleFromMs)
                .min()
                .orElseThrow(() -> new IllegalArgumentException("an append has rows"));
        lock.lock();
        try {
            if (earliest > anchors.latest(clock.nanoTime())) {
                long id = nextTicket++;
                unfenced.put(id, earliest);
                return new Ticket(id, earliest, false);
            }
        } finally {
            lock.unlock();
        }
        takeFence();
        return new Ticket(-1, earliest, true);
    }

    /**
     * Asks for the landing fence for a block that the node has not been offered. The anchor counts as live from the
     * call on; appends below it that are under way are waited for.
     *
     * @param anchorMs anchor of the block's window
     * @param baseline append epoch that the block's work was built under
     * @param deadline longest wait
     * @param cancel raised when the landing is given up
     * @return the decision; a permit must be closed
     * @throws InterruptedException if the caller is interrupted while it waits
     */
    public LandingDecision land(long anchorMs, long baseline, Deadline deadline, CancelSignal cancel)
            throws InterruptedException {
        AnchorExposure exposure = expose(anchorMs);
        boolean keep = false;
        try {
            LandingDecision waited = awaitAppends(anchorMs, deadline, cancel);
            if (waited != null) {
                return waited;
            }
            while (!landing.tryAcquire(slice(deadline), TimeUnit.NANOSECONDS)) {
                if (cancel.cancelled()) {
                    return new LandingDecision.Cancelled();
                }
                if (deadline.expired()) {
                    return new LandingDecision.TimedOut();
                }
            }
            if (!survives(anchorMs, baseline)) {
                landing.release();
                return new LandingDecision.Stale();
            }
            keep = true;
            return new LandingDecision.Permitted(new Permit(exposure));
        } finally {
            if (!keep) {
                exposure.close();
            }
        }
    }

    private @Nullable LandingDecision awaitAppends(long anchorMs, Deadline deadline, CancelSignal cancel)
            throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (unfenced.values().stream().anyMatch(stamp -> stamp <= anchorMs)) {
                if (cancel.cancelled()) {
                    return new LandingDecision.Cancelled();
                }
                if (deadline.expired()) {
                    return new LandingDecision.TimedOut();
                }
                long left = appended.awaitNanos(slice(deadline));
                assert left <= SLICE_NANOS;
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private void takeFence() throws InterruptedException {
        if (!landing.tryAcquire(fenceTimeout.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new AppendFenceTimeoutException(fenceTimeout);
        }
    }

    /** Bumps if the rows predate an anchor that is live now. */
    private OptionalLong bumpIfPredating(long earliest) {
        lock.lock();
        try {
            if (earliest > anchors.latest(clock.nanoTime())) {
                return OptionalLong.empty();
            }
            anchors.disarm();
            return OptionalLong.of(epochs.bump(earliest));
        } finally {
            lock.unlock();
        }
    }

    private void locked(Runnable change) {
        lock.lock();
        try {
            change.run();
        } finally {
            lock.unlock();
        }
    }

    private static long slice(Deadline deadline) {
        return Math.max(1, Math.min(SLICE_NANOS, deadline.remainingNanos()));
    }

    private final class Exposure implements AnchorExposure {
        private final long id;
        private final long anchorMs;
        private final long epoch;

        private Exposure(long id, long anchorMs, long epoch) {
            this.id = id;
            this.anchorMs = anchorMs;
            this.epoch = epoch;
        }

        @Override
        public long anchorMs() {
            return anchorMs;
        }

        @Override
        public long epoch() {
            return epoch;
        }

        @Override
        public void close() {
            locked(() -> anchors.retire(id));
        }
    }

    private final class Permit implements LandingPermit {
        private final AnchorExposure exposure;
        private final AtomicBoolean open = new AtomicBoolean(true);

        private Permit(AnchorExposure exposure) {
            this.exposure = exposure;
        }

        @Override
        public void close() {
            if (open.compareAndSet(true, false)) {
                published(exposure.anchorMs()); // the block may be on the chain: its anchor stays live
                exposure.close();
                landing.release();
            }
        }
    }

    private final class Ticket implements AppendTicket {
        private final long id;
        private final long earliest;
        private final AtomicBoolean holdsFence;
        private final AtomicBoolean open = new AtomicBoolean(true);

        private Ticket(long id, long earliest, boolean fenced) {
            this.id = id;
            this.earliest = earliest;
            this.holdsFence = new AtomicBoolean(fenced);
        }

        @Override
        public boolean fenced() {
            return holdsFence.get();
        }

        @Override
        public void committed() {
            // Without the fence this is safe too: a landing whose window lacks these rows waits for this ticket to
            // close,
            // and any other landing is at an anchor that the rows do not predate.
            OptionalLong bumped = bumpIfPredating(earliest);
            releaseFence();
            bumped.ifPresent(epoch -> listener.bumped(epoch, earliest));
        }

        @Override
        public void close() {
            if (open.compareAndSet(true, false)) {
                releaseFence();
                lock.lock();
                try {
                    unfenced.remove(id);
                    appended.signalAll();
                } finally {
                    lock.unlock();
                }
            }
        }

        private void releaseFence() {
            if (holdsFence.compareAndSet(true, false)) {
                landing.release();
            }
        }
    }
}
