package org.prismpool.app.publicapi;

/**
 * The node could not be asked, or has no usable answer; answered with 503, code {@code upstream_unavailable} and a fixed text. The
 * text and the cause of this exception stay in the log.
 */
public final class UpstreamUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the failure.
     *
     * @param text what is missing, for the log
     */
    public UpstreamUnavailableException(String text) {
        super(text);
    }

    /**
     * Creates the failure with its cause.
     *
     * @param text what is missing, for the log
     * @param cause why
     */
    public UpstreamUnavailableException(String text, Throwable cause) {
        super(text, cause);
    }
}
