package org.prismpool.payout.finalization;

import org.jspecify.annotations.Nullable;

/** Signals that the audit bundle of a found block does not prove the submitted coinbase. */
public final class AuditMismatchException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the signal.
     *
     * @param message what differs
     */
    public AuditMismatchException(String message) {
        this(message, null);
    }

    /**
     * Creates the signal.
     *
     * @param message what differs
     * @param cause the verifier's finding
     */
    public AuditMismatchException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
