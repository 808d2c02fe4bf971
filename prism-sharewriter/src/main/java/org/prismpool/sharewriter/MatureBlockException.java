package org.prismpool.sharewriter;

/** A mature block was to be taken back; the ledger refuses that, an operator must decide. */
public final class MatureBlockException extends LedgerException {

    /**
     * Creates the failure.
     *
     * @param message what happened
     */
    public MatureBlockException(String message) {
        super(message);
    }

    /**
     * Creates the failure with its cause.
     *
     * @param message what happened
     * @param cause the driver's failure
     */
    public MatureBlockException(String message, Throwable cause) {
        super(message, cause);
    }
}
