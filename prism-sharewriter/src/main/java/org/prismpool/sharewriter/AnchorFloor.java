package org.prismpool.sharewriter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * Keeps reward-window anchors below every share that is accepted but not yet durable (ledger contract §2.6).
 *
 * <p>Thread-safe; one lock, no I/O inside. Stamping and registering are one step, so that no anchor can fall between.
 */
public final class AnchorFloor {

    private final LongSupplier wallClockMs;
    private final MonotonicClock clock;
    private final Object lock = new Object();
    private final TreeMap<Long, Integer> stamps = new TreeMap<>(); // guarded by lock
    private final Map<Hold, Long> holds = new HashMap<>(); // guarded by lock; value: monotonic start

    /**
     * Creates a floor.
     *
     * @param wallClockMs Unix milliseconds, for acceptance stamps
     * @param clock monotonic clock, for the age of holds
     */
    public AnchorFloor(LongSupplier wallClockMs, MonotonicClock clock) {
        this.wallClockMs = wallClockMs;
        this.clock = clock;
    }

    /**
     * Stamps a share accepted now and holds the floor below it.
     *
     * @return the hold with its stamp
     */
    public Hold hold() {
        synchronized (lock) {
            return register(wallClockMs.getAsLong());
        }
    }

    /**
     * Holds the floor below a share that was stamped before, as of a replayed candidate.
     *
     * @param acceptedAtMs its original stamp
     * @return the hold
     */
    public Hold holdAt(long acceptedAtMs) {
        synchronized (lock) {
            return register(acceptedAtMs);
        }
    }

    /**
     * Returns the anchor of a window: below its issue time and below every held stamp.
     *
     * @param issuedAtMs issue time of the job in Unix milliseconds
     * @return anchor in Unix milliseconds
     */
    public long anchor(long issuedAtMs) {
        synchronized (lock) {
            long lowest = stamps.isEmpty() ? issuedAtMs : Math.min(issuedAtMs, stamps.firstKey());
            return lowest - 1;
        }
    }

    /**
     * Lists holds older than an age: a wedged writer or a forgotten release.
     *
     * @param age age beyond which a hold is suspicious; the contract says 30 s
     * @return stamps of those holds not listed before
     */
    public List<Long> overdue(Duration age) {
        List<Long> late = new ArrayList<>();
        synchronized (lock) {
            long now = clock.nanoTime();
            holds.forEach((hold, since) -> {
                if (!hold.reported && now - since > age.toNanos()) {
                    hold.reported = true;
                    late.add(hold.acceptedAtMs);
                }
            });
        }
        return late;
    }

    private Hold register(long acceptedAtMs) {
        Hold hold = new Hold(acceptedAtMs);
        stamps.merge(acceptedAtMs, 1, Integer::sum);
        holds.put(hold, clock.nanoTime());
        return hold;
    }

    private void remove(Hold hold) {
        synchronized (lock) {
            if (holds.remove(hold) != null) {
                stamps.computeIfPresent(hold.acceptedAtMs, (stamp, count) -> count == 1 ? null : count - 1);
            }
        }
    }

    /** A stamp that keeps anchors below it until released. */
    public final class Hold {

        private final long acceptedAtMs;
        private boolean reported; // guarded by lock

        private Hold(long acceptedAtMs) {
            this.acceptedAtMs = acceptedAtMs;
        }

        /**
         * Returns the stamp.
         *
         * @return Unix milliseconds of the acceptance
         */
        public long acceptedAtMs() {
            return acceptedAtMs;
        }

        /** Gives the floor free; safe to repeat. */
        public void release() {
            remove(this);
        }
    }
}
