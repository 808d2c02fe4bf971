package org.prismpool.bundle;

import org.jspecify.annotations.Nullable;

/** Completes the future of a request that got no bundle; the kind decides about retries and budgets. */
public final class BundleException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final BundleFailure failure;
    private final String phase;

    /**
     * Creates the failure of a request.
     *
     * @param failure kind
     * @param phase step that failed, see {@link BuildPhase} and the checkpoints of spec 07 §4.7
     * @param message what happened
     */
    public BundleException(BundleFailure failure, String phase, String message) {
        this(failure, phase, message, null);
    }

    /**
     * Creates the failure of a request.
     *
     * @param failure kind
     * @param phase step that failed
     * @param message what happened
     * @param cause underlying failure
     */
    public BundleException(BundleFailure failure, String phase, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.failure = failure;
        this.phase = phase;
    }

    /**
     * Returns the kind.
     *
     * @return kind of failure
     */
    public BundleFailure failure() {
        return failure;
    }

    /**
     * Returns the step that failed.
     *
     * @return stable lower-case name
     */
    public String phase() {
        return phase;
    }
}
