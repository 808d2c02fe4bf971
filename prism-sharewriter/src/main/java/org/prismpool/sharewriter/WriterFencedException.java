package org.prismpool.sharewriter;

/** This session does not hold the writer lease: nothing was written, and the session must stop writing for good. */
public final class WriterFencedException extends LedgerException {

    /**
     * Creates the failure.
     *
     * @param message what happened
     */
    public WriterFencedException(String message) {
        super(message);
    }

    /**
     * Creates the failure with its cause.
     *
     * @param message what happened
     * @param cause the driver's failure
     */
    public WriterFencedException(String message, Throwable cause) {
        super(message, cause);
    }
}
