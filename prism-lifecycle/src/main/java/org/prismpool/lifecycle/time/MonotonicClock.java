package org.prismpool.lifecycle.time;

/**
 * Source of monotonic time, for durations and deadlines only; its values mean nothing outside this process.
 *
 * <p>Implementations are thread-safe and never block.
 */
@FunctionalInterface
public interface MonotonicClock {

    /**
     * Returns the current reading.
     *
     * @return nanoseconds from an arbitrary origin; compare by subtraction only, since the value may be negative or wrap
     */
    long nanoTime();

    /**
     * Returns the clock of this process.
     *
     * @return a clock over {@link System#nanoTime()}
     */
    static MonotonicClock system() {
        return System::nanoTime;
    }
}
