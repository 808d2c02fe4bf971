package org.prismpool.config;

import java.util.Objects;

/**
 * A value that must not be shown: {@link #toString()} gives {@code ***} and only {@link #reveal()} the clear text.
 *
 * <p>Immutable and thread-safe. Source: spec 01 §4 I5.
 */
public final class Secret {

    /** What every output shows instead of a secret. */
    public static final String MASK = "***";

    private final String clearText;

    private Secret(String clearText) {
        this.clearText = Objects.requireNonNull(clearText, "clearText");
    }

    /**
     * Wraps a clear text.
     *
     * @param clearText the value to protect
     * @return the wrapped value
     */
    public static Secret of(String clearText) {
        return new Secret(clearText);
    }

    /**
     * Returns the clear text; the caller must not log, print or keep it longer than needed.
     *
     * @return the protected value
     */
    public String reveal() {
        return clearText;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret that && that.clearText.equals(clearText);
    }

    @Override
    public int hashCode() {
        return clearText.hashCode();
    }

    @Override
    public String toString() {
        return MASK;
    }
}
