package org.prismpool.sharewriter;

/** The ledger holds the block with other contents than those given; nothing was written. */
public final class BlockMismatchException extends LedgerException {

    /**
     * Creates the failure.
     *
     * @param message what happened
     */
    public BlockMismatchException(String message) {
        super(message);
    }

    /**
     * Creates the failure with its cause.
     *
     * @param message what happened
     * @param cause the driver's failure
     */
    public BlockMismatchException(String message, Throwable cause) {
        super(message, cause);
    }
}
