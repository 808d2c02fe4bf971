package org.prismpool.sharewriter.read;

import java.math.BigInteger;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.CancelledException;
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
            long left = deadline.remainingNanos();
            while (wanted.equals(computing) && usable(wanted) == null) {
                if (left <= 0) {
                    throw new DeadlineExceededException(deadline.owner(), "reward-window aggregate");
                }
                left = computed.awaitNanos(left);
            }
            RewardWindowAggregate cached = usable(wanted);
            if (cached == null) {
                computing = wanted;
            }
            return cached;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted while waiting for the reward-window aggregate");
        } finally {
            lock.unlock();
        }
    }

    private @Nullable RewardWindowAggregate usable(BigInteger wanted) {
        boolean young = clock.nanoTime() - computedAtNanos < lifeNanos;
        return young && wanted.equals(weight) ? value : null;
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
