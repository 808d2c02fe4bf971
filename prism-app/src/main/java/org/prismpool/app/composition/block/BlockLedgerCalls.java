package org.prismpool.app.composition.block;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * Knows the ledger calls of block accounting that are under way. Every one of them is bounded by the operation timeout; one
 * that is still running long after it ignores its timeout, and two of them mean that only a new process can account blocks
 * (spec 03 §6.5). Thread-safe.
 */
public final class BlockLedgerCalls {

    /** Stuck calls that need a restart. */
    static final int RESTART = 2;

    private final Map<Long, Long> running = new ConcurrentHashMap<>(); // start of each call by number
    private final AtomicLong numbers = new AtomicLong();
    private final Duration longest;
    private final MonotonicClock clock;

    /**
     * Creates an empty set of calls.
     *
     * @param operationTimeout after which a call ends by itself
     * @param patience how long a call may go on after that before it counts as stuck
     */
    public BlockLedgerCalls(Duration operationTimeout, Duration patience, MonotonicClock clock) {
        this.longest = operationTimeout.plus(patience);
        this.clock = clock;
    }

    <R> R run(Supplier<R> call) {
        long number = numbers.incrementAndGet();
        running.put(number, clock.nanoTime());
        try {
            return call.get();
        } finally {
            running.remove(number);
        }
    }

    /** How many calls run for longer than any call may. */
    int stuck() {
        long now = clock.nanoTime();
        return (int) running.values().stream()
                .filter(since -> now - since > longest.toNanos())
                .count();
    }

    public boolean restartNeeded() {
        return stuck() >= RESTART;
    }
}
