package org.prismpool.payout.json;

/** A document that is not well-formed JSON, or whose members do not have the declared types. */
public final class JsonException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what is wrong and where, one line
     */
    public JsonException(String message) {
        super(message, null, false, false);
    }
}
