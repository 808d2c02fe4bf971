package org.prismpool.config.variable;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.prismpool.config.Environment;
import org.prismpool.config.ValueKey;

/**
 * One environment variable: its name, parser, default, meaning and owner. Immutable.
 *
 * @param <T> type of the value
 */
public final class Variable<T> implements ValueKey<T> {

    /** What an empty text means. */
    public enum EmptyText {
        /** The same as not set. */
        UNSET,
        /** An error: set but empty. */
        ERROR,
        /** A value of its own. */
        VALUE
    }

    /** What a bad value does. */
    public enum Leniency {
        /** Stops the start. */
        STRICT,
        /** Falls back to the default or the nearest bound, with a warning. */
        LENIENT
    }

    private final String name;
    private final Parser<T> parser;
    private final Optional<String> defaultText;
    private final Optional<Derivation<T>> derivation;
    private final Optional<Variable<T>> alias;
    private final boolean required;
    private final EmptyText emptyText;
    private final Leniency leniency;
    private final boolean secret;
    private final boolean effective;
    private final String owner;
    private final String doc;
    private final Optional<String> packagedText;
    private final Optional<Function<Environment, Boolean>> feature;

    private Variable(Builder<T> b, String doc) {
        this.name = b.name;
        this.parser = b.parser;
        this.defaultText = Optional.ofNullable(b.defaultText);
        this.derivation = Optional.ofNullable(b.derivation);
        this.alias = Optional.ofNullable(b.alias);
        this.required = b.required;
        this.emptyText = b.emptyText;
        this.leniency = b.leniency;
        this.secret = b.secret;
        this.effective = b.effective;
        this.owner = b.owner;
        this.packagedText = Optional.ofNullable(b.packagedText);
        this.feature = Optional.ofNullable(b.feature);
        this.doc = doc;
    }

    /**
     * A default that follows other variables.
     *
     * @param text how it is derived, for people
     * @param value computes it from an environment in which the sources are resolved
     * @param sources variables it reads
     * @param <T> type of the value
     */
    public record Derivation<T>(
            String text, Function<Environment, Optional<T>> value, java.util.List<Variable<?>> sources) {
        /** Copies the sources. */
        public Derivation {
            sources = java.util.List.copyOf(sources);
        }
    }

    /**
     * Starts the definition of a variable.
     *
     * @param name exact environment name
     * @param parser parser of its text
     * @param <T> type of the value
     * @return a builder; {@link Builder#doc(String)} ends the definition
     */
    public static <T> Builder<T> named(String name, Parser<T> parser) {
        return new Builder<>(name, parser);
    }

    @Override
    public String name() {
        return name;
    }

    /**
     * Returns the parser, which also knows type and range.
     *
     * @return the parser
     */
    public Parser<T> parser() {
        return parser;
    }

    /**
     * Returns the constant default in its textual form.
     *
     * @return the text that is parsed when the variable is not set, empty if there is none
     */
    public Optional<String> defaultText() {
        return defaultText;
    }

    /**
     * Returns the default that follows other variables.
     *
     * @return the derivation, empty if there is none
     */
    public Optional<Derivation<T>> derivation() {
        return derivation;
    }

    /**
     * Returns the legacy name that is read when this one is not set.
     *
     * @return the alias variable, empty if there is none
     */
    public Optional<Variable<T>> alias() {
        return alias;
    }

    /**
     * Tells whether the variable must be set in every mode.
     *
     * @return true if there is neither a default nor a meaning of "unset"
     */
    public boolean required() {
        return required;
    }

    /**
     * Returns what an empty text means.
     *
     * @return the policy
     */
    public EmptyText emptyText() {
        return emptyText;
    }

    /**
     * Returns what a bad value does.
     *
     * @return the class of leniency
     */
    public Leniency leniency() {
        return leniency;
    }

    /**
     * Tells whether the value must never be shown.
     *
     * @return true for secrets and for texts that contain one
     */
    public boolean secret() {
        return secret;
    }

    /**
     * Tells whether the value changes anything in this product.
     *
     * @return false for names that are accepted for compatibility only
     */
    public boolean effective() {
        return effective;
    }

    /**
     * Returns the module that consumes the value.
     *
     * @return short module name, with a package or part in parentheses where useful
     */
    public String owner() {
        return owner;
    }

    /**
     * Returns what the variable does.
     *
     * @return one or more sentences
     */
    public String doc() {
        return doc;
    }

    /**
     * Returns the value that the packaged service sets, where it differs from the default.
     *
     * @return the packaged text, empty when it equals the default
     */
    public Optional<String> packagedText() {
        return packagedText;
    }

    /**
     * Tells whether the feature this variable belongs to is on; bad values of a disabled feature are warnings.
     *
     * @param environment values resolved so far
     * @return true if the variable matters
     */
    public boolean featureEnabled(Environment environment) {
        return feature.map(f -> f.apply(environment)).orElse(true);
    }

    /**
     * Returns the same variable as one that must be set and must be right.
     *
     * @return a copy without default, derivation, alias and leniency
     */
    public Variable<T> asRequired() {
        return copy().required().doc(doc);
    }

    /**
     * Returns the same variable with a constant default, which also stands for an empty text.
     *
     * @param text text that is parsed when the variable is not set
     * @return a copy without derivation, alias and leniency
     */
    public Variable<T> withDefault(String text) {
        return copy().byDefault(text).emptyIsUnset().doc(doc);
    }

    private Builder<T> copy() {
        Builder<T> copy = new Builder<>(name, parser);
        copy.emptyText = emptyText;
        copy.secret = secret;
        copy.effective = effective;
        copy.owner = owner;
        return copy;
    }

    /** {@inheritDoc} Such a value comes from this variable's parser or derivation. */
    @Override
    @SuppressWarnings("unchecked") // only values made by this variable are stored under its name
    public T cast(Object value) {
        return (T) value;
    }

    @Override
    public String toString() {
        return name;
    }

    /**
     * Collects the properties of a variable.
     *
     * @param <T> type of the value
     */
    public static final class Builder<T> {
        private final String name;
        private final Parser<T> parser;
        private @Nullable String defaultText;
        private @Nullable Derivation<T> derivation;
        private @Nullable Variable<T> alias;
        private boolean required;
        private EmptyText emptyText = EmptyText.ERROR;
        private Leniency leniency = Leniency.STRICT;
        private boolean secret;
        private boolean effective = true;
        private String owner = "";
        private @Nullable String packagedText;
        private @Nullable Function<Environment, Boolean> feature;

        private Builder(String name, Parser<T> parser) {
            this.name = Objects.requireNonNull(name, "name");
            this.parser = Objects.requireNonNull(parser, "parser");
        }

        /**
         * Sets a constant default.
         *
         * @param text text that is parsed when the variable is not set
         * @return this builder
         */
        public Builder<T> byDefault(String text) {
            defaultText = text;
            return this;
        }

        /**
         * Sets a default that follows other variables.
         *
         * @param text how it is derived, for people
         * @param value computes it
         * @param sources variables it reads
         * @return this builder
         */
        public Builder<T> derived(String text, Function<Environment, Optional<T>> value, Variable<?>... sources) {
            derivation = new Derivation<>(text, value, java.util.List.of(sources));
            return this;
        }

        /**
         * Sets the legacy name that is read when this one is not set; its default then counts too.
         *
         * @param legacy the alias variable
         * @return this builder
         */
        public Builder<T> alias(Variable<T> legacy) {
            alias = legacy;
            return this;
        }

        /**
         * Makes the variable required.
         *
         * @return this builder
         */
        public Builder<T> required() {
            required = true;
            return this;
        }

        /**
         * Makes an empty text mean "not set".
         *
         * @return this builder
         */
        public Builder<T> emptyIsUnset() {
            emptyText = EmptyText.UNSET;
            return this;
        }

        /**
         * Makes an empty text a value of its own.
         *
         * @return this builder
         */
        public Builder<T> emptyIsValue() {
            emptyText = EmptyText.VALUE;
            return this;
        }

        /**
         * Makes a bad value fall back to the default with a warning.
         *
         * @return this builder
         */
        public Builder<T> lenient() {
            leniency = Leniency.LENIENT;
            return this;
        }

        /**
         * Marks the value as secret.
         *
         * @return this builder
         */
        public Builder<T> secret() {
            secret = true;
            return this;
        }

        /**
         * Marks the name as accepted without effect.
         *
         * @return this builder
         */
        public Builder<T> withoutEffect() {
            effective = false;
            return this;
        }

        /**
         * Names the consuming module.
         *
         * @param module short module name
         * @return this builder
         */
        public Builder<T> owner(String module) {
            owner = module;
            return this;
        }

        /**
         * Sets the value of the packaged service.
         *
         * @param text packaged text
         * @return this builder
         */
        public Builder<T> packaged(String text) {
            packagedText = text;
            return this;
        }

        /**
         * Ties the variable to a feature: while it is off, bad values are warnings.
         *
         * @param enabled tells whether the feature is on
         * @return this builder
         */
        public Builder<T> onlyWith(Function<Environment, Boolean> enabled) {
            feature = enabled;
            return this;
        }

        /**
         * Ends the definition.
         *
         * @param text what the variable does
         * @return the variable
         */
        public Variable<T> doc(String text) {
            return new Variable<>(this, text);
        }
    }
}
