package org.prismpool.sharewriter;

/** The operation's deadline passed and its transaction was rolled back; it may be tried again with more time. */
public final class LedgerDeadlineException extends LedgerException {

    /**
     * Creates the failure.
     *
     * @param message what happened
     */
    public LedgerDeadlineException(String message) {
        super(message);
    }

    /**
     * Creates the failure with its cause.
     *
     * @param message what happened
     * @param cause the driver's failure
     */
    public LedgerDeadlineException(String message, Throwable cause) {
        super(message, cause);
    }
}
