package org.prismpool.lifecycle.executor;

import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Receipt for one admitted task. Thread-safe.
 *
 * @param <T> what the task returns
 */
public final class Ticket<T extends @Nullable Object> {

    private final BoundedPriorityExecutor executor;
    private final Callable<? extends T> task;
    private final int priority;
    private final long sequence;
    private final long queuedNanos;
    private final TicketFuture<T> future;

    private volatile TicketState state = TicketState.QUEUED; // written under the executor's lock

    Ticket(
            BoundedPriorityExecutor executor,
            Callable<? extends T> task,
            int priority,
            long sequence,
            long queuedNanos) {
        this.executor = executor;
        this.task = task;
        this.priority = priority;
        this.sequence = sequence;
        this.queuedNanos = queuedNanos;
        this.future = new TicketFuture<>(this);
    }

    /**
     * Returns the priority given at submission.
     *
     * @return 0 or more; lower runs first
     */
    public int priority() {
        return priority;
    }

    /**
     * Returns the place in the order of admissions to this executor.
     *
     * @return 0 for the first admitted task, then rising by one
     */
    public long sequence() {
        return sequence;
    }

    /**
     * Returns where the ticket is now. The state is set shortly before the {@link #future()} completes.
     *
     * @return the state; it may have moved on when the caller looks at it
     */
    public TicketState state() {
        return state;
    }

    /**
     * Returns the outcome of the task. Everything the task did happens-before its completion.
     *
     * <p>It completes with the result, with what the task threw, or with a {@link CancellationException} when the entry
     * was removed before it started. Cancelling it equals {@link #cancel()}; only the executor can complete it otherwise,
     * so put a time limit on a {@link CompletableFuture#copy()}. Dependent stages run on the worker (or on the thread that
     * cancels) with no lock held, and may call this executor.
     *
     * @return the same future on each call
     */
    public CompletableFuture<T> future() {
        return future;
    }

    /**
     * Removes the entry from the queue and frees its slot, if it has not started. Never interrupts a running task.
     *
     * @return true if this call removed it
     */
    public boolean cancel() {
        return executor.cancel(this);
    }

    boolean belongsTo(BoundedPriorityExecutor candidate) {
        return executor == candidate;
    }

    Callable<? extends T> task() {
        return task;
    }

    long queuedNanos() {
        return queuedNanos;
    }

    void moveTo(TicketState next) {
        state = next;
    }

    void settle(Outcome<T> outcome) {
        if (outcome.failure() == null) {
            future.succeed(outcome.result());
        } else {
            future.fail(outcome.failure());
        }
    }

    void settleCancelled() {
        future.fail(new CancellationException("cancelled before it started"));
    }

    /** What running the task gave: a result, or a failure when that is not null. */
    record Outcome<T extends @Nullable Object>(
            T result, @Nullable Throwable failure) {}
}
