package org.prismpool.bundle.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** Issue times of jobs, frozen once per template generation; the oldest of 128 generations is dropped. Thread-safe. */
final class IssueTimes {

    private static final int LIMIT = 128;

    private final LongSupplier cleanAnchorMs;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, Long> byGeneration = new LinkedHashMap<>();

    IssueTimes(LongSupplier cleanAnchorMs) {
        this.cleanAnchorMs = cleanAnchorMs;
    }

    long of(long templateGeneration) {
        long fresh = cleanAnchorMs.getAsLong(); // a port: asked before the lock is taken
        lock.lock();
        try {
            Long frozen = byGeneration.putIfAbsent(templateGeneration, fresh);
            if (byGeneration.size() > LIMIT) {
                byGeneration.remove(byGeneration.keySet().iterator().next());
            }
            return frozen == null ? fresh : frozen;
        } finally {
            lock.unlock();
        }
    }
}
