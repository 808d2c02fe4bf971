package org.prismpool.sharewriter;

/** A ledger operation did not do what was asked; the subclass says what is known about it. */
public abstract class LedgerException extends RuntimeException {

    /**
     * Creates the failure.
     *
     * @param message what was refused or what broke
     */
    protected LedgerException(String message) {
        super(message);
    }

    /**
     * Creates the failure with its cause.
     *
     * @param message what was refused or what broke
     * @param cause the driver's failure
     */
    protected LedgerException(String message, Throwable cause) {
        super(message, cause);
    }
}
