package org.prismpool.app.publicapi.cache;

import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.prismpool.app.publicapi.PublicBody;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.DeadlineExceededException;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * Keeps answers until they are too old or least recently used, and lets concurrent requests for one answer share one computation.
 *
 * <p>Thread-safe. One lock guards entries and flights; nothing is computed or awaited under it. An answer that has expired is never
 * given out. Source: spec 08 §7.6.
 */
public final class ResponseCache {

    /** Computes an answer. */
    @FunctionalInterface
    public interface Computation {

        /**
         * Computes the answer on the calling thread.
         *
         * @param deadline end of it
         * @return the answer
         */
        PublicBody compute(Deadline deadline);
    }

    private record Entry(PublicBody body, long storedNanos, long ttlNanos) {

        private boolean freshAt(long now) {
            return now - storedNanos < ttlNanos;
        }
    }

    private final CacheLimits limits;
    private final MonotonicClock clock;
    private final Object lock = new Object();
    private final LinkedHashMap<CacheKey, Entry> entries = new LinkedHashMap<>(16, 0.75f, true); // under lock
    private final Map<CacheKey, CompletableFuture<CachedBody>> flights = new HashMap<>(); // under lock
    private long bytes; // under lock

    /**
     * Creates an empty cache.
     *
     * @param limits its bounds
     * @param clock of ages, monotonic
     */
    public ResponseCache(CacheLimits limits, MonotonicClock clock) {
        this.limits = limits;
        this.clock = clock;
    }

    /**
     * Looks an answer up; waits for nothing.
     *
     * @param key what is asked for
     * @return the answer if it is there and fresh
     */
    public Optional<CachedBody> fresh(CacheKey key) {
        synchronized (lock) {
            return lookUp(key);
        }
    }

    /**
     * Returns the answer from the cache, from a computation that another thread has begun, or by computing it.
     *
     * @param key what is asked for
     * @param ttlSeconds how long the answer may be kept; 0 computes it here and now
     * @param deadline end of the computation, and of the wait for another thread's
     * @param computation computes it
     * @return the answer
     * @throws InterruptedException if interrupted while waiting for another thread
     * @throws DeadlineExceededException if another thread does not answer in time
     * @throws RuntimeException whatever the computation threw, also to those who waited for it
     */
    public CachedBody get(CacheKey key, int ttlSeconds, Deadline deadline, Computation computation)
            throws InterruptedException {
        if (ttlSeconds <= 0) {
            return CachedBody.computed(computation.compute(deadline), false);
        }
        CompletableFuture<CachedBody> own = new CompletableFuture<>();
        CompletableFuture<CachedBody> flight;
        synchronized (lock) {
            Optional<CachedBody> kept = lookUp(key);
            if (kept.isPresent()) {
                return kept.get();
            }
            flight = flights.putIfAbsent(key, own);
        }
        return flight == null ? fly(own, key, ttlSeconds, deadline, computation) : await(flight, deadline);
    }

    /**
     * Returns how many answers are kept.
     *
     * @return their number, expired ones included that nobody has asked for since
     */
    public int size() {
        synchronized (lock) {
            return entries.size();
        }
    }

    private CachedBody fly(
            CompletableFuture<CachedBody> own,
            CacheKey key,
            int ttlSeconds,
            Deadline deadline,
            Computation computation) {
        try {
            PublicBody body = computation.compute(deadline);
            int size = body.bytes().length;
            boolean keep = limits.responseBytes() > 0 && size <= limits.responseBytes() && size <= limits.totalBytes();
            synchronized (lock) {
                if (keep) {
                    store(
                            key,
                            new Entry(
                                    body,
                                    clock.nanoTime(),
                                    Duration.ofSeconds(ttlSeconds).toNanos()));
                }
                flights.remove(key, own); // together with the entry: whoever comes next finds one of both
            }
            CachedBody computed = CachedBody.computed(body, keep);
            own.complete(computed);
            return computed;
        } catch (RuntimeException | Error failed) {
            own.completeExceptionally(failed);
            throw failed;
        } finally {
            synchronized (lock) {
                flights.remove(key, own);
            }
        }
    }

    private static CachedBody await(CompletableFuture<CachedBody> flight, Deadline deadline)
            throws InterruptedException {
        try {
            return flight.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new DeadlineExceededException(deadline.owner(), "the same answer on another thread");
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException("the computation of an answer broke", failed.getCause());
        }
    }

    private Optional<CachedBody> lookUp(CacheKey key) {
        Entry entry = entries.get(key);
        if (entry == null) {
            return Optional.empty();
        }
        long now = clock.nanoTime();
        if (!entry.freshAt(now)) {
            entries.remove(key);
            bytes -= entry.body().bytes().length;
            return Optional.empty();
        }
        long age = TimeUnit.NANOSECONDS.toSeconds(now - entry.storedNanos());
        return Optional.of(new CachedBody(entry.body(), CachedBody.Source.HIT, age));
    }

    private void store(CacheKey key, Entry entry) {
        Entry before = entries.put(key, entry);
        bytes += entry.body().bytes().length
                - (before == null ? 0 : before.body().bytes().length);
        if (overfull()) {
            long now = clock.nanoTime();
            evict(candidate -> !candidate.freshAt(now), false); // what is dead must not push out what is not
            evict(candidate -> true, true);
        }
    }

    /** Removes what matches, in the order of the last use; the newest entry was used last and fits alone. */
    private void evict(Predicate<Entry> matching, boolean onlyWhileOverfull) {
        Iterator<Entry> oldestFirst = entries.values().iterator();
        while (oldestFirst.hasNext() && (!onlyWhileOverfull || overfull())) {
            Entry entry = oldestFirst.next();
            if (matching.test(entry)) {
                oldestFirst.remove();
                bytes -= entry.body().bytes().length;
            }
        }
    }

    private boolean overfull() {
        return entries.size() > limits.entries() || bytes > limits.totalBytes();
    }
}
