package org.prismpool.refresh.internal;

import java.time.Duration;

/**
 * Counter and event: everything armed before a consumption is consumed by it, whatever is armed during it stays.
 *
 * <p>Thread-safe: both counters are guarded by this object's monitor.
 */
public final class RetrySignal {

    private long armed;
    private long consumed;
    private boolean closed;

    /** Creates a signal that is not armed. */
    public RetrySignal() {}

    /** Latches a retry; several coalesce until the next consumption. */
    public synchronized void arm() {
        armed++;
        notifyAll();
    }

    /**
     * Tells whether a retry is latched.
     *
     * @return true from {@link #arm()} to the next consumption
     */
    public synchronized boolean isArmed() {
        return armed != consumed;
    }

    /**
     * Takes every retry that is visible now.
     *
     * @return how many were taken
     */
    public synchronized long consume() {
        long taken = armed - consumed;
        consumed = armed;
        return taken;
    }

    /** Returns a mark of everything armed so far, for {@link #consumeUpTo(long)}. */
    synchronized long mark() {
        return armed;
    }

    /** Takes what was armed before a mark; a later retry stays latched. */
    synchronized void consumeUpTo(long mark) {
        consumed = Math.max(consumed, Math.min(mark, armed));
    }

    /** Releases every waiter for good. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    synchronized void await(Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (armed == consumed && !closed) {
            long leftMillis = (end - System.nanoTime() + 999_999L) / 1_000_000L;
            if (leftMillis <= 0) {
                return;
            }
            wait(leftMillis);
        }
    }
}
