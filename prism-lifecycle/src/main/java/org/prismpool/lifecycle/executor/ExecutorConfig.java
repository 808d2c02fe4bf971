package org.prismpool.lifecycle.executor;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * Shape of a {@link BoundedPriorityExecutor}.
 *
 * @param name prefix of the thread names and label in messages, for example {@code prism-delivery-fanout}
 * @param workers number of threads, 1 or more
 * @param queueCapacity most entries that may wait, 1 or more; running tasks do not count
 * @param agingStep waiting time that lifts an entry by one priority; zero keeps priorities strict
 * @param closeWait longest time that {@link BoundedPriorityExecutor#close()} waits for the workers
 * @param clock source of the waiting times
 * @param threadFactory makes the worker threads; called only while the executor starts
 */
public record ExecutorConfig(
        String name,
        int workers,
        int queueCapacity,
        Duration agingStep,
        Duration closeWait,
        MonotonicClock clock,
        ThreadFactory threadFactory) {

    private static final Duration DEFAULT_CLOSE_WAIT = Duration.ofSeconds(5);

    /** Checks the ranges. */
    public ExecutorConfig {
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(threadFactory, "threadFactory");
        if (name.isBlank()) {
            throw new IllegalArgumentException("an executor needs a name");
        }
        if (workers < 1) {
            throw new IllegalArgumentException("workers must be 1 or more, not " + workers);
        }
        if (queueCapacity < 1) {
            throw new IllegalArgumentException("queueCapacity must be 1 or more, not " + queueCapacity);
        }
        if (agingStep.isNegative()) {
            throw new IllegalArgumentException("agingStep must not be negative: " + agingStep);
        }
        if (closeWait.isNegative()) {
            throw new IllegalArgumentException("closeWait must not be negative: " + closeWait);
        }
    }

    /**
     * Describes an executor with strict priorities, daemon threads, the clock of this process and five seconds to close.
     *
     * @param name prefix of the thread names
     * @param workers number of threads, 1 or more
     * @param queueCapacity most entries that may wait, 1 or more
     * @return the description
     */
    public static ExecutorConfig of(String name, int workers, int queueCapacity) {
        return new ExecutorConfig(
                name,
                workers,
                queueCapacity,
                Duration.ZERO,
                DEFAULT_CLOSE_WAIT,
                MonotonicClock.system(),
                daemonThreads(name));
    }

    /**
     * Returns the same description with another aging step.
     *
     * @param step waiting time that lifts an entry by one priority; zero keeps priorities strict
     * @return the changed copy
     */
    public ExecutorConfig withAgingStep(Duration step) {
        return new ExecutorConfig(name, workers, queueCapacity, step, closeWait, clock, threadFactory);
    }

    /**
     * Returns the same description with another limit for {@link BoundedPriorityExecutor#close()}.
     *
     * @param wait longest time to wait for the workers, zero or more
     * @return the changed copy
     */
    public ExecutorConfig withCloseWait(Duration wait) {
        return new ExecutorConfig(name, workers, queueCapacity, agingStep, wait, clock, threadFactory);
    }

    /**
     * Returns the same description with another clock.
     *
     * @param source source of the waiting times
     * @return the changed copy
     */
    public ExecutorConfig withClock(MonotonicClock source) {
        return new ExecutorConfig(name, workers, queueCapacity, agingStep, closeWait, source, threadFactory);
    }

    /**
     * Returns the same description with another thread factory.
     *
     * @param factory makes the worker threads
     * @return the changed copy
     */
    public ExecutorConfig withThreadFactory(ThreadFactory factory) {
        return new ExecutorConfig(name, workers, queueCapacity, agingStep, closeWait, clock, factory);
    }

    private static ThreadFactory daemonThreads(String prefix) {
        AtomicInteger next = new AtomicInteger(1);
        return work -> {
            Thread thread = new Thread(work, prefix + "-" + next.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        };
    }
}
