package org.prismpool.app.composition.backend;

/** Says in words why the start is refused or impossible, and what to set or mend. Carries no secret. */
public final class StartFailure extends Exception {

    /**
     * Creates the failure.
     *
     * @param message what is wrong and what to do
     */
    public StartFailure(String message) {
        super(message);
    }

    /**
     * Creates the failure.
     *
     * @param message what is wrong and what to do
     * @param cause underlying failure
     */
    public StartFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
