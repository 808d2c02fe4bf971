package org.prismpool.lifecycle.executor;

import java.util.concurrent.RejectedExecutionException;

/** Signals that a task was refused because its executor is closed; no later attempt can succeed. */
public final class ExecutorClosedException extends RejectedExecutionException {

    /**
     * Creates the signal.
     *
     * @param executor thread name prefix of the executor
     */
    public ExecutorClosedException(String executor) {
        super("executor " + executor + " is closed");
    }
}
