package org.prismpool.app.composition;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An owner that is built after those that refer to it: set once during construction, before any thread starts.
 *
 * @param <T> type of the owner
 */
final class Later<T> {

    private final AtomicReference<Optional<T>> value = new AtomicReference<>(Optional.empty());
    private final String name;

    Later(String name) {
        this.name = name;
    }

    T set(T owner) {
        if (value.getAndSet(Optional.of(owner)).isPresent()) {
            throw new IllegalStateException(name + " is wired already");
        }
        return owner;
    }

    T get() {
        return value.get().orElseThrow(() -> new IllegalStateException(name + " is not wired yet"));
    }

    Optional<T> peek() {
        return value.get();
    }
}
