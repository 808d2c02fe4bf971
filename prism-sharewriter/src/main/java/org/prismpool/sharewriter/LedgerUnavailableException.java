package org.prismpool.sharewriter;

/** The database cannot be reached or the connection was lost; if a write was under way, its outcome is unknown. */
public final class LedgerUnavailableException extends LedgerException {

    /**
     * Creates the failure.
     *
     * @param message what happened
     */
    public LedgerUnavailableException(String message) {
        super(message);
    }

    /**
     * Creates the failure with its cause.
     *
     * @param message what happened
     * @param cause the driver's failure
     */
    public LedgerUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
