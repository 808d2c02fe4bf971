package org.prismpool.app.http;

import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Bounds the memory of large answers that are on their way: each stays whole until its reader has taken the last byte, and readers
 * may be slow. Thread-safe, never waits.
 */
final class LargeAnswers {

    /** All that may be on its way at a time, in MiB; an answer beyond it goes alone. */
    static final int BUDGET = 64;

    private static final int MEBIBYTE = 1 << 20;
    private static final Runnable NOTHING = () -> {};

    private final Semaphore mebibytes = new Semaphore(BUDGET);

    /**
     * Takes the room of an answer; one below a mebibyte needs none.
     *
     * @param bytes length of its body
     * @return gives the room back, to be run once; empty if there is no room
     */
    Optional<Runnable> room(int bytes) {
        if (bytes < MEBIBYTE) {
            return Optional.of(NOTHING);
        }
        int size = Math.min(BUDGET, bytes / MEBIBYTE);
        return mebibytes.tryAcquire(size) ? Optional.of(() -> mebibytes.release(size)) : Optional.empty();
    }
}
