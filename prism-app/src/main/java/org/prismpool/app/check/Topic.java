package org.prismpool.app.check;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.prismpool.app.check.CheckRow.Level;
import org.prismpool.config.Environment;
import org.prismpool.config.Finding;
import org.prismpool.config.variable.Variable;

/**
 * A static row: it fails or warns by the findings of the configuration that concern it, and otherwise shows values.
 *
 * @param id name of the row
 * @param rules ids of the rules that concern it
 * @param variables variables whose own findings concern it
 * @param shown what a good row shows; carries no secret
 */
record Topic(String id, Set<String> rules, List<Variable<?>> variables, Function<Environment, String> shown) {

    CheckRow row(List<Finding> findings, Environment environment) {
        Optional<Finding> worst =
                findings.stream().filter(this::concerns).min((a, b) -> Boolean.compare(b.isError(), a.isError()));
        return worst.map(finding -> new CheckRow(level(finding), id, text(finding), Optional.empty()))
                .orElseGet(() -> CheckRow.pass(id, shown.apply(environment)));
    }

    private boolean concerns(Finding finding) {
        boolean named = variables.stream().anyMatch(v -> finding.variables().contains(v.name()));
        return finding.code() == Finding.Code.RULE
                ? rules.contains(finding.rule()) && (variables.isEmpty() || named)
                : named;
    }

    static Level level(Finding finding) {
        return finding.isError() ? Level.FAIL : Level.WARN;
    }

    static String text(Finding finding) {
        return finding.shown() + ": " + finding.problem() + (finding.hint().isEmpty() ? "" : "; " + finding.hint());
    }
}
