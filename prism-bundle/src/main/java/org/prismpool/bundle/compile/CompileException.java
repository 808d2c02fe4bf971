package org.prismpool.bundle.compile;

/** Signals that a compile failed for its own reasons: bad input, a helper's error exit, an invalid result. */
public final class CompileException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the signal.
     *
     * @param message what went wrong, with the helper's diagnostics if there are any
     */
    public CompileException(String message) {
        super(message);
    }

    /**
     * Creates the signal.
     *
     * @param message what went wrong
     * @param cause underlying failure
     */
    public CompileException(String message, Throwable cause) {
        super(message, cause);
    }
}
