package org.prismpool.config;

import java.util.List;
import java.util.Objects;

/**
 * One thing that a load found: an error that stops the start or a warning that does not.
 *
 * @param severity whether it stops the start
 * @param code kind of finding
 * @param rule id of the cross-field rule, or {@code parse}, {@code range} or {@code name}
 * @param variables names concerned, one or more, in the order the text mentions them
 * @param shown {@code NAME=value} pairs as they may be printed: secrets masked, control characters escaped
 * @param problem what is wrong, with the bound that was broken
 * @param hint what to do, empty when the problem says it
 */
public record Finding(
        Severity severity, Code code, String rule, List<String> variables, String shown, String problem, String hint) {

    /** Whether a finding stops the start. */
    public enum Severity {
        /** The start is refused. */
        ERROR,
        /** The start goes on; the operator should know. */
        WARNING
    }

    /** Kind of finding. */
    public enum Code {
        /** A required variable is not set. */
        REQUIRED,
        /** A variable is set to the empty string, which has no meaning for it. */
        EMPTY,
        /** The text does not follow the grammar of its type. */
        MALFORMED,
        /** A decimal is NaN or infinite. */
        NON_FINITE,
        /** The value is outside its own range. */
        RANGE,
        /** Two or more values contradict each other. */
        RULE,
        /** A primary name and its legacy alias have different values. */
        ALIAS_CONFLICT,
        /** A lenient value was replaced by its default or clamped. */
        IGNORED_VALUE,
        /** The value names something this product does not have. */
        UNSUPPORTED,
        /** The name is accepted and has no effect. */
        NO_EFFECT,
        /** The name is not known. */
        UNKNOWN
    }

    /** Copies the names. */
    public Finding {
        Objects.requireNonNull(severity, "severity");
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(rule, "rule");
        variables = List.copyOf(variables);
        if (variables.isEmpty()) {
            throw new IllegalArgumentException("a finding names at least one variable");
        }
    }

    /**
     * Tells whether the finding stops the start.
     *
     * @return true for an error
     */
    public boolean isError() {
        return severity == Severity.ERROR;
    }

    /**
     * Returns the same finding as a warning.
     *
     * @param warningCode code of the warning
     * @param consequence what happens instead of the refusal
     * @return the warning
     */
    public Finding asWarning(Code warningCode, String consequence) {
        return new Finding(Severity.WARNING, warningCode, rule, variables, shown, problem, consequence);
    }

    /**
     * Renders the finding on one line.
     *
     * @return severity, names with values, problem, hint and rule id
     */
    public String render() {
        return severity + " " + shown + ": " + problem + (hint.isEmpty() ? "" : "; " + hint) + " [" + rule + "]";
    }
}
