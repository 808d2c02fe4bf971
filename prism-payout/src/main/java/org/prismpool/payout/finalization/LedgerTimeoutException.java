package org.prismpool.payout.finalization;

/** Signals that a ledger call did not end before its deadline; what it wrote may be durable. */
public final class LedgerTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the signal.
     *
     * @param message what happened
     */
    public LedgerTimeoutException(String message) {
        super(message);
    }

    /**
     * Creates the signal.
     *
     * @param message what happened
     * @param cause underlying failure
     */
    public LedgerTimeoutException(String message, Throwable cause) {
        super(message, cause);
    }
}
