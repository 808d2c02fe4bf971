package org.prismpool.lifecycle.shutdown;

/**
 * Signals that writing work was refused because the process is stopping. Loops end quietly on it: it is no failure.
 */
public final class ShutdownInProgressException extends RuntimeException {

    /** Whether the lease release has started. */
    private final boolean releaseStarted;

    /**
     * Creates the signal.
     *
     * @param component kind of the refused work
     * @param releaseStarted true if the lease release has started, so that not even nested work is admitted
     */
    public ShutdownInProgressException(WriterComponent component, boolean releaseStarted) {
        super(component.name() + " refused: "
                + (releaseStarted ? "lease release already started" : "shutdown in progress"));
        this.releaseStarted = releaseStarted;
    }

    /**
     * Tells which of the two refusals it is.
     *
     * @return true if the lease release has started
     */
    public boolean releaseStarted() {
        return releaseStarted;
    }
}
