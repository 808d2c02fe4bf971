package org.prismpool.lifecycle.testing;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.prismpool.lifecycle.time.MonotonicClock;

/** A monotonic clock that a test moves by hand. Thread-safe. */
public final class ManualClock implements MonotonicClock {

    private final AtomicLong nanos = new AtomicLong();

    /** Creates a clock that reads zero. */
    public ManualClock() {}

    @Override
    public long nanoTime() {
        return nanos.get();
    }

    /**
     * Moves the clock forward.
     *
     * @param step zero or more
     */
    public void advance(Duration step) {
        if (step.isNegative()) {
            throw new IllegalArgumentException("a monotonic clock cannot go back by " + step);
        }
        nanos.addAndGet(step.toNanos());
    }
}
