package org.prismpool.app.devnode.fault;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Holds calls until it is released; afterwards it lets everything pass. Thread-safe. */
public final class Gate {

    private final Semaphore arrivals = new Semaphore(0);
    private final CompletableFuture<Void> open = new CompletableFuture<>();

    /** Creates a closed gate. */
    public Gate() {}

    /**
     * Waits until calls have arrived at the gate.
     *
     * @param count how many, each counted by one waiter only
     * @param longest longest wait
     * @return false when they did not arrive in time
     * @throws InterruptedException when the waiting thread is interrupted
     */
    public boolean awaitArrivals(int count, Duration longest) throws InterruptedException {
        return arrivals.tryAcquire(count, longest.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Lets every held call go on, and all later ones pass. */
    public void release() {
        open.complete(null);
    }

    /**
     * Registers a call.
     *
     * @return completed by the release
     */
    public CompletableFuture<Void> arrive() {
        arrivals.release();
        return open.copy();
    }
}
