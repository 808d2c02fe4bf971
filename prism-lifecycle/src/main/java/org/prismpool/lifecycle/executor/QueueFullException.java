package org.prismpool.lifecycle.executor;

import java.util.concurrent.RejectedExecutionException;

/** Signals that a task was refused because every slot of the queue is taken; a later attempt may succeed. */
public final class QueueFullException extends RejectedExecutionException {

    /**
     * Creates the signal.
     *
     * @param executor thread name prefix of the executor
     * @param capacity its queue capacity
     */
    public QueueFullException(String executor, int capacity) {
        super("queue of " + executor + " is full at " + capacity);
    }
}
