package org.prismpool.app.publicapi.model;

/** A stored artifact cannot be read or has another digest than the ledger recorded; it is never served. */
final class UnverifiedArtifactException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnverifiedArtifactException(String text) {
        super(text);
    }

    UnverifiedArtifactException(String text, Throwable cause) {
        super(text, cause);
    }
}
