package org.prismpool.refresh.internal;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One-way stop flag that threads can wait on. Thread-safe. */
public final class StopFlag {

    private final CountDownLatch stopped = new CountDownLatch(1);

    /** Raises the flag. */
    public void raise() {
        stopped.countDown();
    }

    /**
     * Tells whether the flag is raised.
     *
     * @return true once raised
     */
    public boolean raised() {
        return stopped.getCount() == 0;
    }

    boolean await(Duration atMost) throws InterruptedException {
        return stopped.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }
}
