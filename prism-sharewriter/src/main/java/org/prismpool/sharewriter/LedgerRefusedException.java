package org.prismpool.sharewriter;

/** The database refused the operation and rolled it back: a definite failure, nothing was written. */
public final class LedgerRefusedException extends LedgerException {

    private final boolean dataError;

    /**
     * Creates the failure.
     *
     * @param message what happened
     * @param dataError true if the data itself was refused, so that other data may pass
     * @param cause the driver's failure
     */
    public LedgerRefusedException(String message, boolean dataError, Throwable cause) {
        super(message, cause);
        this.dataError = dataError;
    }

    /**
     * Tells whether the data itself was refused.
     *
     * @return true for a violated rule, false for a full disk, a read-only server and the like
     */
    public boolean dataError() {
        return dataError;
    }
}
