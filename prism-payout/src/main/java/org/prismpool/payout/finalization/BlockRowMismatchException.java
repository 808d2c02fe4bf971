package org.prismpool.payout.finalization;

/** Signals that the stored rows of a block differ from what was to be written. */
public final class BlockRowMismatchException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the signal.
     *
     * @param message what happened
     */
    public BlockRowMismatchException(String message) {
        super(message);
    }

    /**
     * Creates the signal.
     *
     * @param message what happened
     * @param cause underlying failure
     */
    public BlockRowMismatchException(String message, Throwable cause) {
        super(message, cause);
    }
}
