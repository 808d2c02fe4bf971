package org.prismpool.config.rule;

import java.util.List;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.Variable;

/**
 * A condition over several variables. Stateless and thread-safe.
 *
 * <p>The loader skips a rule when the text of one of its variables could not be parsed, so that one mistake gives one finding.
 *
 * @param id stable id, such as {@code W1}
 * @param text the rule in words, for {@code explain}
 * @param variables variables it reads
 * @param check finds the violations
 */
public record Rule(String id, String text, List<Variable<?>> variables, Check check) {

    /** Copies the variables. */
    public Rule {
        variables = List.copyOf(variables);
    }

    /**
     * Creates a rule.
     *
     * @param id stable id
     * @param text the rule in words
     * @param check finds the violations
     * @param variables variables it reads
     * @return the rule
     */
    public static Rule of(String id, String text, Check check, Variable<?>... variables) {
        return new Rule(id, text, List.of(variables), check);
    }

    /** Finds the violations of a rule. */
    @FunctionalInterface
    public interface Check {
        /**
         * Looks at the values and reports each violation.
         *
         * @param environment values, resolved for all variables of the rule
         * @param report where to say what is wrong
         */
        void check(Environment environment, RuleReport report);
    }
}
