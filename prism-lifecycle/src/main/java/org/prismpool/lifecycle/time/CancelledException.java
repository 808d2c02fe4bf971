package org.prismpool.lifecycle.time;

/** Signals that work stopped because its {@link CancelSignal} was raised. */
public final class CancelledException extends RuntimeException {

    /** Why the work was cancelled. */
    private final String reason;

    /**
     * Creates the signal.
     *
     * @param reason why the work was cancelled
     */
    public CancelledException(String reason) {
        super("cancelled: " + reason);
        this.reason = reason;
    }

    /**
     * Returns why the work was cancelled.
     *
     * @return the reason given when the signal was raised
     */
    public String reason() {
        return reason;
    }
}
