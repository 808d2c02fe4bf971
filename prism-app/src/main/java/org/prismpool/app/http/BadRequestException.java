package org.prismpool.app.http;

/** A request that its sender must change; answered with 400 and this text. */
public final class BadRequestException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String text;

    /**
     * Creates the refusal.
     *
     * @param text what is wrong, shown to the sender
     */
    public BadRequestException(String text) {
        super(text);
        this.text = text;
    }

    @Override
    public String getMessage() {
        return text;
    }
}
