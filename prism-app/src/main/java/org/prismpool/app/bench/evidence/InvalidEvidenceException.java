package org.prismpool.app.bench.evidence;

/** A document does not prove what it claims; the message says which rule it breaks. */
final class InvalidEvidenceException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    InvalidEvidenceException(String message) {
        super(message);
    }
}
