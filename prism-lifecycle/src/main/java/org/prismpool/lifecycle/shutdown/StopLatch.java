package org.prismpool.lifecycle.shutdown;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A stop signal that its owner raises by hand. Thread-safe. */
public final class StopLatch implements StopSignal {

    private final CountDownLatch latch = new CountDownLatch(1);

    /** Creates a signal that is not raised. */
    public StopLatch() {}

    /** Raises the signal; without effect when repeated. */
    public void raise() {
        latch.countDown();
    }

    @Override
    public boolean requested() {
        return latch.getCount() == 0;
    }

    @Override
    public boolean await(Duration longest) throws InterruptedException {
        return latch.await(longest.toNanos(), TimeUnit.NANOSECONDS);
    }
}
