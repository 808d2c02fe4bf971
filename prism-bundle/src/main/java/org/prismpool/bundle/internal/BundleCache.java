package org.prismpool.bundle.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Finished bundles by cache key: the most recently stored ones, each for a limited time (spec 07 §4.2).
 *
 * <p>Thread-safe. Every lookup removes every expired entry, since one entry may pin a window of 100 000 shares.
 */
final class BundleCache<K, B> {

    private final long ttlNanos;
    private final int limit;
    private final ToLongFunction<B> builtNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<K, B> entries = new LinkedHashMap<>();

    BundleCache(long ttlNanos, int limit, ToLongFunction<B> builtNanos) {
        this.ttlNanos = ttlNanos;
        this.limit = limit;
        this.builtNanos = builtNanos;
    }

    Optional<B> find(K key, long nowNanos) {
        lock.lock();
        try {
            removeExpired(nowNanos);
            return Optional.ofNullable(entries.get(key));
        } finally {
            lock.unlock();
        }
    }

    void store(K key, B bundle, long nowNanos) {
        lock.lock();
        try {
            if (ttlNanos == 0) {
                entries.clear();
                return;
            }
            removeExpired(nowNanos);
            entries.remove(key); // storing again makes it the newest
            entries.put(key, bundle);
            if (entries.size() > limit) {
                entries.remove(entries.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
    }

    void clear() {
        lock.lock();
        try {
            entries.clear();
        } finally {
            lock.unlock();
        }
    }

    void keepOnly(Predicate<B> wanted) {
        lock.lock();
        try {
            entries.values().removeIf(wanted.negate());
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return entries.size();
        } finally {
            lock.unlock();
        }
    }

    private void removeExpired(long nowNanos) {
        entries.values().removeIf(b -> nowNanos - builtNanos.applyAsLong(b) >= ttlNanos);
    }
}
