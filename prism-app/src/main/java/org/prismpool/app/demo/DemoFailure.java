package org.prismpool.app.demo;

/** The demo cannot start; the message says what failed. */
public final class DemoFailure extends Exception {

    private static final long serialVersionUID = 1L;

    /**
     * Creates a failure.
     *
     * @param message what failed
     * @param cause why
     */
    public DemoFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
