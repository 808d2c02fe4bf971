package org.prismpool.delivery.internal;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Closes a fan-out to further commits without waiting for those under way (spec 07 §1.3).
 *
 * <p>Thread-safe and lock-free: one word holds the count of admitted commits and, in its sign bit, whether it is closed.
 */
final class FanoutAdmission {

    private static final long CLOSED = Long.MIN_VALUE;

    private final AtomicLong word = new AtomicLong();

    /** Admits one commit; false once closed. */
    boolean begin() {
        while (true) {
            long seen = word.get();
            if (seen < 0) {
                return false;
            }
            if (word.compareAndSet(seen, seen + 1)) {
                return true;
            }
        }
    }

    /** Ends an admitted commit. */
    void end() {
        word.decrementAndGet();
    }

    /** Closes; commits that were admitted before go on. */
    void close() {
        word.getAndUpdate(seen -> seen | CLOSED);
    }

    boolean closed() {
        return word.get() < 0;
    }

    /** Returns how many admitted commits have not ended. */
    long admitted() {
        return word.get() & ~CLOSED;
    }
}
