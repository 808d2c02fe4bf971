package org.prismpool.app.publicapi;

/** What a public request names does not exist; answered with 404, code {@code not_found} and this text. */
public final class NotFoundException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String text;

    /**
     * Creates the refusal.
     *
     * @param text what does not exist, shown to the sender
     */
    public NotFoundException(String text) {
        super(text);
        this.text = text;
    }

    @Override
    public String getMessage() {
        return text;
    }
}
