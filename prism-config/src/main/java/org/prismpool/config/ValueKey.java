package org.prismpool.config;

/**
 * What an {@link Environment} keeps a value under. Immutable.
 *
 * @param <T> type of the value
 */
public interface ValueKey<T> {

    /**
     * Returns the exact environment name.
     *
     * @return the name
     */
    String name();

    /**
     * Gives a value that is kept under this key its type back.
     *
     * @param value a value that was made for this key
     * @return the same value, typed
     */
    T cast(Object value);
}
