package org.prismpool.config;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Outcome of a load: the values, and every finding, errors first, each group in registry order.
 *
 * @param environment effective values; complete only if {@link #ok()}
 * @param findings everything found
 */
public record ConfigReport(Environment environment, List<Finding> findings) {

    /** Copies the findings. */
    public ConfigReport {
        findings = List.copyOf(findings);
    }

    /**
     * Tells whether the start may go on.
     *
     * @return true if no finding is an error
     */
    public boolean ok() {
        return findings.stream().noneMatch(Finding::isError);
    }

    /**
     * Returns the findings that stop the start.
     *
     * @return errors in registry order
     */
    public List<Finding> errors() {
        return findings.stream().filter(Finding::isError).toList();
    }

    /**
     * Returns the findings that do not stop the start.
     *
     * @return warnings in registry order
     */
    public List<Finding> warnings() {
        return findings.stream().filter(f -> !f.isError()).toList();
    }

    /**
     * Renders all findings, one per line.
     *
     * @return the text, empty when nothing was found; carries no secret
     */
    public String render() {
        return findings.stream().map(f -> f.render() + "\n").collect(Collectors.joining());
    }
}
