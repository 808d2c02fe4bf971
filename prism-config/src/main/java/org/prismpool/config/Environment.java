package org.prismpool.config;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Effective values of one load and where each came from. Deeply immutable and thread-safe.
 *
 * <p>Never looks at the process environment: what was given to the {@link ConfigLoader} is all there is.
 */
public final class Environment {

    /** Where a value came from. */
    public enum Origin {
        /** Given under its own name. */
        GIVEN,
        /** Given under a legacy alias. */
        ALIAS,
        /** The documented default. */
        DEFAULT,
        /** Derived from another variable. */
        DERIVED,
        /** Not set and without a default. */
        UNSET
    }

    /**
     * One effective value.
     *
     * @param value the value, empty when unset
     * @param origin where it came from
     */
    public record Effective(Optional<Object> value, Origin origin) {}

    private final Map<String, Effective> values;

    /**
     * Creates an environment.
     *
     * @param values effective value by variable name
     */
    public Environment(Map<String, Effective> values) {
        this.values = Map.copyOf(values);
    }

    /**
     * Returns the value of a variable that always has one (required or with a default).
     *
     * @param variable the variable
     * @param <T> its type
     * @return the effective value
     * @throws IllegalStateException if the variable has no value here
     */
    public <T> T get(ValueKey<T> variable) {
        return find(variable)
                .orElseThrow(() -> new IllegalStateException("no value for " + variable.name() + "; use find"));
    }

    /**
     * Returns the value of a variable that may be unset.
     *
     * @param variable the variable
     * @param <T> its type
     * @return the effective value, empty when unset
     */
    public <T> Optional<T> find(ValueKey<T> variable) {
        return effective(variable).value().map(variable::cast);
    }

    /**
     * Tells where a value came from.
     *
     * @param variable the variable
     * @return its origin; {@link Origin#UNSET} for a variable that was not part of the load
     */
    public Origin origin(ValueKey<?> variable) {
        return effective(variable).origin();
    }

    /**
     * Tells whether the operator set the variable, under its own name or an alias.
     *
     * @param variable the variable
     * @return true if it was given
     */
    public boolean given(ValueKey<?> variable) {
        Origin origin = origin(variable);
        return origin == Origin.GIVEN || origin == Origin.ALIAS;
    }

    /**
     * Tells whether a value was computed at all: false for a variable whose text could not be parsed.
     *
     * @param variable the variable
     * @return true if the load has a verdict on it
     */
    public boolean resolved(ValueKey<?> variable) {
        return values.containsKey(variable.name());
    }

    private Effective effective(ValueKey<?> variable) {
        return Objects.requireNonNullElse(values.get(variable.name()), new Effective(Optional.empty(), Origin.UNSET));
    }
}
