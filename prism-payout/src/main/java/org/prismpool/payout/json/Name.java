package org.prismpool.payout.json;

import java.nio.charset.StandardCharsets;

/** A member name of a document, encoded once. Immutable. */
public final class Name {

    private final String text;
    private final byte[] encoded;
    private final byte[] encodedAfterComma;

    private Name(String text) {
        this.text = text;
        this.encoded = ("\"" + text + "\":").getBytes(StandardCharsets.US_ASCII);
        this.encodedAfterComma = (",\"" + text + "\":").getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Returns the name of a member.
     *
     * @param text lower-case ASCII letters, digits and underscores
     * @return the name
     */
    public static Name of(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!(c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))) {
                throw new IllegalArgumentException("not a member name");
            }
        }
        return new Name(text);
    }

    /**
     * Returns the name without quotes.
     *
     * @return the text
     */
    public String text() {
        return text;
    }

    byte[] encoded() {
        return encoded;
    }

    byte[] encodedAfterComma() {
        return encodedAfterComma;
    }

    @Override
    public String toString() {
        return text;
    }
}
