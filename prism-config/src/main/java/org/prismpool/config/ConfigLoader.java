package org.prismpool.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.prismpool.config.Environment.Effective;
import org.prismpool.config.Environment.Origin;
import org.prismpool.config.Finding.Code;
import org.prismpool.config.Finding.Severity;
import org.prismpool.config.render.ShownValue;
import org.prismpool.config.rule.Rule;
import org.prismpool.config.rule.RuleReport;
import org.prismpool.config.variable.ParseProblem;
import org.prismpool.config.variable.Variable;
import org.prismpool.config.variable.VariableRegistry;

/**
 * Loads an environment: parses every variable, runs every rule whose inputs parsed, and reports all findings at once.
 *
 * <p>Immutable and thread-safe; reads only the map it is given. Source: spec 01 §2, §4 I1-I4.
 */
public final class ConfigLoader {

    private final VariableRegistry registry;
    private final List<Rule> rules;

    /**
     * Creates a loader.
     *
     * @param registry the program's variables
     * @param rules cross-field rules, run in this order
     */
    public ConfigLoader(VariableRegistry registry, List<Rule> rules) {
        this.registry = registry;
        this.rules = List.copyOf(rules);
    }

    /**
     * Returns the variables this loader knows.
     *
     * @return the registry
     */
    public VariableRegistry registry() {
        return registry;
    }

    /**
     * Returns the rules this loader runs.
     *
     * @return rules in order
     */
    public List<Rule> rules() {
        return rules;
    }

    /**
     * Loads an environment.
     *
     * @param given texts by name, for example a copy of the process environment; not kept
     * @return values and findings; never throws for bad input
     */
    public ConfigReport load(Map<String, String> given) {
        Load load = new Load(Map.copyOf(given));
        registry.variables().forEach(load::resolve);
        load.settleFeatures();
        Environment environment = new Environment(load.values);
        rules.forEach(rule -> load.run(rule, environment));
        load.reportNames();
        return new ConfigReport(environment, load.sorted());
    }

    /** State of one load; confined to the calling thread. */
    private final class Load {
        private final Map<String, String> given;
        private final Map<String, Effective> values = new LinkedHashMap<>();
        private final Map<String, Finding> bad = new HashMap<>();
        private final Set<String> visited = new HashSet<>();
        private final List<Finding> findings = new ArrayList<>();

        private Load(Map<String, String> given) {
            this.given = given;
        }

        private <T> void resolve(Variable<T> variable) {
            if (!visited.add(variable.name())) {
                return;
            }
            String text = given.get(variable.name());
            boolean empty = text != null && text.isEmpty();
            if (text == null || (empty && variable.emptyText() == Variable.EmptyText.UNSET)) {
                resolveUnset(variable);
            } else if (empty && variable.emptyText() == Variable.EmptyText.ERROR) {
                refuse(variable, Code.EMPTY, "parse", "is set but empty", emptyHint(variable));
            } else {
                parse(variable, text);
            }
        }

        private String emptyHint(Variable<?> variable) {
            return variable.required() ? "it is required" : "unset it to get its default";
        }

        private <T> void parse(Variable<T> variable, String text) {
            try {
                put(variable, Optional.of(variable.parser().parse(text)), Origin.GIVEN);
                variable.alias().ifPresent(alias -> skipAlias(variable, text, alias));
            } catch (ParseProblem problem) {
                // The problem's text never repeats the input, which may be a secret.
                refuse(variable, problem.code(), problem.rule(), problem.problem(), defaultHint(variable));
                if (variable.leniency() == Variable.Leniency.LENIENT
                        && problem.nearest().isPresent()) {
                    put(variable, problem.nearest().map(variable::cast), Origin.GIVEN);
                }
            }
        }

        private String defaultHint(Variable<?> variable) {
            return variable.defaultText().map(d -> "default " + d).orElse("");
        }

        /** The primary wins: its alias is not parsed, and a different value there is worth a warning. */
        private <T> void skipAlias(Variable<T> primary, String primaryText, Variable<T> alias) {
            visited.add(alias.name());
            String text = given.get(alias.name());
            if (text != null && !text.isEmpty() && !text.strip().equals(primaryText.strip())) {
                add(
                        Severity.WARNING,
                        Code.ALIAS_CONFLICT,
                        "alias",
                        "differs from its legacy alias, which is ignored",
                        "",
                        primary,
                        alias);
            }
            put(alias, Optional.empty(), Origin.UNSET);
        }

        private <T> void resolveUnset(Variable<T> variable) {
            if (variable.alias().isPresent()
                    && resolveAlias(variable, variable.alias().get())) {
                return;
            }
            if (variable.derivation().isPresent()) {
                derive(variable, variable.derivation().get());
            } else if (variable.defaultText().isPresent()) {
                put(
                        variable,
                        Optional.of(
                                parsedDefault(variable, variable.defaultText().get())),
                        Origin.DEFAULT);
            } else if (variable.required()) {
                refuse(
                        variable,
                        Code.REQUIRED,
                        "parse",
                        "is required",
                        "set it; allowed: " + variable.parser().allowed());
            } else {
                put(variable, Optional.empty(), Origin.UNSET);
            }
        }

        /** Returns whether the alias decided: it has a value, or its text is bad. */
        private <T> boolean resolveAlias(Variable<T> primary, Variable<T> alias) {
            resolve(alias);
            Effective effective = values.get(alias.name());
            if (effective == null) {
                return true; // reported under the alias; rules on the primary are skipped
            }
            if (effective.value().isEmpty()) {
                return false;
            }
            Origin origin = effective.origin() == Origin.GIVEN ? Origin.ALIAS : Origin.DEFAULT;
            values.put(primary.name(), new Effective(effective.value(), origin));
            return true;
        }

        private <T> void derive(Variable<T> variable, Variable.Derivation<T> derivation) {
            derivation.sources().forEach(this::resolve);
            Environment soFar = new Environment(values);
            if (derivation.sources().stream().allMatch(soFar::resolved)) {
                put(variable, derivation.value().apply(soFar), Origin.DERIVED);
            }
        }

        private <T> T parsedDefault(Variable<T> variable, String text) {
            try {
                return variable.parser().parse(text);
            } catch (ParseProblem wrongRegistry) {
                throw new IllegalStateException(
                        "default of " + variable.name() + " is not a value of it", wrongRegistry);
            }
        }

        private <T> void put(Variable<T> variable, Optional<T> value, Origin origin) {
            values.put(variable.name(), new Effective(value.map(v -> v), origin));
        }

        private <T> void refuse(Variable<T> variable, Code code, String rule, String problem, String hint) {
            Finding finding = finding(Severity.ERROR, code, rule, problem, hint, variable);
            if (variable.leniency() == Variable.Leniency.LENIENT) {
                resolveUnset(variable);
                findings.add(finding.asWarning(Code.IGNORED_VALUE, "the default or the nearest bound is used"));
            } else {
                bad.put(variable.name(), finding);
            }
        }

        /** A bad value of a disabled feature must not stop the start: it becomes a warning and the default counts. */
        private void settleFeatures() {
            Environment soFar = new Environment(values);
            for (Variable<?> variable : registry.variables()) {
                Finding finding = bad.get(variable.name());
                if (finding == null) {
                    continue;
                }
                if (variable.featureEnabled(soFar)) {
                    findings.add(finding);
                } else {
                    findings.add(finding.asWarning(Code.IGNORED_VALUE, "its feature is off, the value is not used"));
                    resolveUnset(variable);
                }
            }
        }

        private void run(Rule rule, Environment environment) {
            if (!rule.variables().stream().allMatch(environment::resolved)) {
                return;
            }
            rule.check().check(environment, new RuleReport() {
                @Override
                public void error(String problem, Variable<?>... variables) {
                    add(Severity.ERROR, Code.RULE, rule.id(), problem, "", variables);
                }

                @Override
                public void warning(String problem, Variable<?>... variables) {
                    add(Severity.WARNING, Code.RULE, rule.id(), problem, "", variables);
                }
            });
        }

        private void reportNames() {
            for (Variable<?> variable : registry.variables()) {
                if (!variable.effective() && given.containsKey(variable.name())) {
                    add(Severity.WARNING, Code.NO_EFFECT, "name", "is accepted and has no effect here", "", variable);
                }
            }
            given.keySet().stream().filter(registry::isUnknown).sorted().forEach(name -> {
                String hint = registry.nearest(name)
                        .map(n -> "did you mean " + n + "?")
                        .orElse("");
                findings.add(new Finding(
                        Severity.WARNING,
                        Code.UNKNOWN,
                        "name",
                        List.of(name),
                        ShownValue.escaped(name),
                        "is not a known variable",
                        hint));
            });
        }

        private void add(
                Severity severity, Code code, String rule, String problem, String hint, Variable<?>... variables) {
            findings.add(finding(severity, code, rule, problem, hint, variables));
        }

        private Finding finding(
                Severity severity, Code code, String rule, String problem, String hint, Variable<?>... variables) {
            List<String> names = Stream.of(variables).map(Variable::name).toList();
            String shown =
                    Stream.of(variables).map(v -> ShownValue.of(v, given)).collect(Collectors.joining(", "));
            return new Finding(severity, code, rule, names, shown, problem, hint);
        }

        private List<Finding> sorted() {
            List<String> order =
                    registry.variables().stream().map(Variable::name).toList();
            Comparator<Finding> byRegistry = Comparator.comparing((Finding f) -> f.isError() ? 0 : 1)
                    .thenComparing(f -> {
                        int at = order.indexOf(f.variables().get(0));
                        return at < 0 ? order.size() : at;
                    });
            return findings.stream().sorted(byRegistry).toList();
        }
    }
}
