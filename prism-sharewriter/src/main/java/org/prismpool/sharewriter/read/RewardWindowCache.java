package org.prismpool.sharewriter.read;

import java.math.BigInteger;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.DeadlineExceededException;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * Serves one reward-window aggregate to everyone for a time; concurrent misses wait for one computation.
 *
 * <p>Thread-safe; the lock is never held during a computation.
 */
public final class RewardWindowCache {

    private final long lifeNanos;
    private final MonotonicClock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition computed = lock.newCondition();

    // All guarded by lock.
    private @Nullable BigInteger weight;
    private @Nullable RewardWindowAggregate value;
    private long computedAtNanos;
    private @Nullable BigInteger computing;

    /**
     * Creates an empty cache.
     *
     * @param life time that an aggregate serves, 0 for not at all
     * @param clock clock of that time
     */
    public RewardWindowCache(Duration life, MonotonicClock clock) {
        this.lifeNanos = life.toNanos();
        this.clock = clock;
    }

    /**
     * Returns the aggregate for a weight, computing it if the cache has none that is young enough.
     *
     * @param wanted requested weight
     * @param deadline longest wait for somebody else's computation
     * @param compute computes it, on this thread
     * @return the aggregate
     * @throws DeadlineExceededException if another computation takes too long
     */
    public RewardWindowAggregate get(BigInteger wanted, Deadline deadline, Supplier<RewardWindowAggregate> compute) {
        if (lifeNanos == 0) {
            return compute.get();
        }
        RewardWindowAggregate cached = awaitOrClaim(wanted, deadline);
        if (cached != null) {
            return cached;
        }
        RewardWindowAggregate fresh = null;
        try {
            fresh = compute.get();
            return fresh;
        } finally {
            settle(wanted, fresh);
        }
    }

    private @Nullable RewardWindowAggregate awaitOrClaim(BigInteger wanted, Deadline deadline) {
        lock.lock();
        try {
            while (true) {
                if (value != null && wanted.equals(weight) && clock.nanoTime() - computedAtNanos < lifeNanos) {
                    return value;
                }
                if (!wanted.equals(computing)) {
                    computing = wanted;
                    return null;
                }
                if (deadline.expired() || !awaitComputed(deadline.remainingNanos())) {
                    throw new DeadlineExceededException(deadline.owner(), "reward-window aggregate");
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean awaitComputed(long nanos) {
        try {
            return computed.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void settle(BigInteger wanted, @Nullable RewardWindowAggregate fresh) {
        lock.lock();
        try {
            if (wanted.equals(computing)) {
                computing = null;
            }
            if (fresh != null) {
                weight = wanted;
                value = fresh;
                computedAtNanos = clock.nanoTime();
            }
            computed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
