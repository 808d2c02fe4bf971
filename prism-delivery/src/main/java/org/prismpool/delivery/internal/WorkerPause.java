package org.prismpool.delivery.internal;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.prismpool.lifecycle.time.CancelSignal;

/** A pool worker's wait that ends early when its work is cancelled. */
final class WorkerPause {

    private WorkerPause() {}

    static void pause(Duration atMost, CancelSignal cancel) throws InterruptedException {
        CountDownLatch cancelled = new CountDownLatch(1);
        try (CancelSignal.Registration registration = cancel.onCancel(cancelled::countDown)) {
            if (registration != null && cancelled.await(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
        }
    }
}
