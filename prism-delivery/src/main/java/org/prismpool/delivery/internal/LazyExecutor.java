package org.prismpool.delivery.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.executor.BoundedPriorityExecutor;
import org.prismpool.lifecycle.executor.CloseMode;
import org.prismpool.lifecycle.executor.ExecutorClosedException;
import org.prismpool.lifecycle.executor.ExecutorConfig;
import org.prismpool.lifecycle.executor.ExecutorStats;
import org.prismpool.lifecycle.executor.Ticket;

/** A bounded pool that is created on first use and terminal after its close. Guarded by this object's monitor. */
final class LazyExecutor {

    private final ExecutorConfig config;
    private @Nullable BoundedPriorityExecutor executor;
    private boolean closed;

    LazyExecutor(ExecutorConfig config) {
        this.config = config;
    }

    /**
     * Submits a task.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the queue is full or the pool is closed
     */
    Ticket<Boolean> submit(int priority, Callable<Boolean> task) {
        return open().submit(priority, task);
    }

    synchronized Optional<ExecutorStats> stats() {
        return Optional.ofNullable(executor).map(BoundedPriorityExecutor::stats);
    }

    /** Cancels what is queued and waits for running tasks; never blocks on a full queue. */
    void close(Duration wait) {
        BoundedPriorityExecutor running;
        synchronized (this) {
            closed = true;
            running = executor;
        }
        if (running != null) {
            running.close(CloseMode.CANCEL_QUEUED, wait);
        }
    }

    private synchronized BoundedPriorityExecutor open() {
        if (closed) {
            throw new ExecutorClosedException(config.name());
        }
        BoundedPriorityExecutor current = executor;
        if (current == null) {
            current = BoundedPriorityExecutor.start(config);
            executor = current;
        }
        return current;
    }
}
