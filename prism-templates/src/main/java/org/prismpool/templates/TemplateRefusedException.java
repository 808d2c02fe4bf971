package org.prismpool.templates;

/** A template that no work can be derived from; the message names the field and the rule. */
public final class TemplateRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message field and rule
     */
    public TemplateRefusedException(String message) {
        super(message);
    }
}
