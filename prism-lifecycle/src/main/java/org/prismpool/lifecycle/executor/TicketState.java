package org.prismpool.lifecycle.executor;

/** Where a ticket is on its way; it only moves forward and ends in exactly one terminal state. */
public enum TicketState {
    /** Waiting for a worker; occupies one slot of the queue. */
    QUEUED(false),
    /** A worker runs the task. */
    RUNNING(false),
    /** The task returned. */
    SUCCEEDED(true),
    /** The task threw. */
    FAILED(true),
    /** Removed from the queue before it started. */
    CANCELLED(true);

    private final boolean terminal;

    TicketState(boolean terminal) {
        this.terminal = terminal;
    }

    /**
     * Tells whether the ticket has reached its end.
     *
     * @return true for the three final states
     */
    public boolean terminal() {
        return terminal;
    }
}
