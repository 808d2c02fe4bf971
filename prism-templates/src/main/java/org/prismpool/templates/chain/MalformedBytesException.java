package org.prismpool.templates.chain;

/** Serialized chain data that ends early or breaks its format. The message names the rule and never repeats the data. */
public final class MalformedBytesException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message the broken rule
     */
    public MalformedBytesException(String message) {
        super(message);
    }
}
