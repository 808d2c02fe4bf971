package org.prismpool.payout.reorg;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.chain.Hash256;

/**
 * Tips that a trusted pass has proven, for a short time (spec 06 §6.2). Thread-safe.
 *
 * <p>An epoch ties a proof to the moment at which its pass began: whatever happens to tips in between, a pass that
 * straddled it is not remembered.
 */
final class ReconcileMemo {

    private static final int LIMIT = 8;

    private final long ttlNanos;
    private final MonotonicClock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Hash256, Long> provenNanos = new LinkedHashMap<>();
    private long epoch;
    private Optional<Hash256> newest = Optional.empty();

    ReconcileMemo(Duration ttl, MonotonicClock clock) {
        this.ttlNanos = ttl.toNanos();
        this.clock = clock;
    }

    boolean fresh(Hash256 tip) {
        lock.lock();
        try {
            Long proven = provenNanos.get(tip);
            return ttlNanos > 0 && proven != null && clock.nanoTime() - proven < ttlNanos;
        } finally {
            lock.unlock();
        }
    }

    long epoch() {
        lock.lock();
        try {
            return epoch;
        } finally {
            lock.unlock();
        }
    }

    void remember(Hash256 tip, long beganInEpoch, boolean changedRows) {
        lock.lock();
        try {
            if (changedRows) {
                provenNanos.keySet().removeIf(other -> !other.equals(tip));
            }
            if (beganInEpoch != epoch) {
                return;
            }
            provenNanos.remove(tip);
            provenNanos.put(tip, clock.nanoTime());
            if (provenNanos.size() > LIMIT) {
                provenNanos.remove(provenNanos.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
    }

    /** A tip was detected: no other proof counts, and no pass under way for another tip will. */
    void keepOnly(Hash256 tip) {
        lock.lock();
        try {
            provenNanos.keySet().removeIf(other -> !other.equals(tip));
            newest = Optional.of(tip);
            epoch++;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a proof that has just failed to be remembered would be now: its tip was detected while it was made. */
    boolean overtaken(Hash256 tip) {
        lock.lock();
        try {
            return ttlNanos > 0 && !provenNanos.containsKey(tip) && newest.equals(Optional.of(tip));
        } finally {
            lock.unlock();
        }
    }

    void clear() {
        lock.lock();
        try {
            provenNanos.clear();
            epoch++;
        } finally {
            lock.unlock();
        }
    }
}
