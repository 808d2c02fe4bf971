package org.prismpool.refresh.internal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** How the owner's threads wait; replaced in tests by one that moves a manual clock. */
public interface Waits {

    /**
     * Waits a while, or until stopped.
     *
     * @param atMost longest wait
     * @param stop the stop flag
     * @return true if stopped
     * @throws InterruptedException if interrupted
     */
    boolean pause(Duration atMost, StopFlag stop) throws InterruptedException;

    /**
     * Waits until a retry is armed, stopped, or a while.
     *
     * @param signal the retry signal
     * @param atMost longest wait
     * @throws InterruptedException if interrupted
     */
    void awaitRetry(RetrySignal signal, Duration atMost) throws InterruptedException;

    /**
     * Waits until a future is done, in any way, or a while.
     *
     * @param future the future
     * @param atMost longest wait
     * @return true if it is done
     * @throws InterruptedException if interrupted
     */
    boolean awaitDone(CompletableFuture<?> future, Duration atMost) throws InterruptedException;

    /**
     * Waits for a permit.
     *
     * @param permit the semaphore
     * @param atMost longest wait
     * @return true if it was acquired
     * @throws InterruptedException if interrupted
     */
    default boolean acquire(Semaphore permit, Duration atMost) throws InterruptedException {
        return permit.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Returns the waits of real threads. */
    static Waits real() {
        return new Waits() {
            @Override
            public boolean pause(Duration atMost, StopFlag stop) throws InterruptedException {
                return stop.await(atMost);
            }

            @Override
            public void awaitRetry(RetrySignal signal, Duration atMost) throws InterruptedException {
                signal.await(atMost);
            }

            @Override
            public boolean awaitDone(CompletableFuture<?> future, Duration atMost) throws InterruptedException {
                try {
                    future.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
                } catch (TimeoutException notYet) {
                    return future.isDone();
                } catch (ExecutionException | java.util.concurrent.CancellationException failed) {
                    return true; // the caller reads the outcome
                }
                return true;
            }
        };
    }
}
