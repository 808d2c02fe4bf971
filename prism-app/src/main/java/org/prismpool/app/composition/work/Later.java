package org.prismpool.app.composition.work;

import java.util.Optional;

/**
 * An owner that is built after those that refer to it: set once during construction, before any thread starts.
 *
 * @param <T> type of the owner
 */
public final class Later<T> {

    private final String name;
    private volatile Optional<T> value = Optional.empty();

    public Later(String name) {
        this.name = name;
    }

    public T set(T owner) {
        if (value.isPresent()) {
            throw new IllegalStateException(name + " is wired already");
        }
        value = Optional.of(owner);
        return owner;
    }

    public T get() {
        return value.orElseThrow(() -> new IllegalStateException(name + " is not wired yet"));
    }

    Optional<T> peek() {
        return value;
    }
}
