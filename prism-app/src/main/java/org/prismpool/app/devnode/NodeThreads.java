package org.prismpool.app.devnode;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The node's threads: one timer, and workers for calls that were held up and go on later. Thread-safe. */
final class NodeThreads implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(NodeThreads.class);
    private static final int WORKERS = 4;
    private static final int WAITING_CALLS = 4_096;
    private static final long CLOSE_SECONDS = 5;

    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, named("timer"));
    private final ThreadPoolExecutor workers = new ThreadPoolExecutor(
            WORKERS, WORKERS, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING_CALLS), named("worker"));
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    NodeThreads() {
        timer.setRemoveOnCancelPolicy(true);
        workers.allowCoreThreadTimeOut(true);
    }

    ScheduledExecutorService timer() {
        return timer;
    }

    /**
     * Runs a quick step after a while.
     *
     * @throws java.util.concurrent.RejectedExecutionException when the node is closed
     */
    void later(Runnable step, Duration delay) {
        ScheduledFuture<?> unused = timer.schedule(step, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Rejects a call when 4096 others wait. */
    Executor workers() {
        return workers;
    }

    /** Completed when the node closes. */
    CompletableFuture<Void> closed() {
        return closed.copy();
    }

    @Override
    public void close() {
        closed.complete(null);
        timer.shutdownNow();
        workers.shutdownNow();
        try {
            boolean ended = timer.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)
                    && workers.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
            if (!ended) {
                LOG.atWarn().log("development node threads did not stop in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ThreadFactory named(String role) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "prism-devnode-" + role + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
