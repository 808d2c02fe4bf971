package org.prismpool.config.rule;

import org.prismpool.config.variable.Variable;

/** Receives the violations of one rule; masks and shows the values itself. Confined to the loading thread. */
public interface RuleReport {

    /**
     * Reports a violation that stops the start.
     *
     * @param problem what is wrong, with bounds
     * @param variables variables to show, one or more, the one to change first
     */
    void error(String problem, Variable<?>... variables);

    /**
     * Reports something the operator should know.
     *
     * @param problem what is unusual and what it means
     * @param variables variables to show, one or more
     */
    void warning(String problem, Variable<?>... variables);
}
