package org.prismpool.config.render;

import java.util.Optional;
import org.prismpool.config.ConfigLoader;
import org.prismpool.config.Environment;
import org.prismpool.config.rule.Rule;
import org.prismpool.config.variable.Variable;

/** Explains one variable: meaning, range, default, rules that mention it, effective value and where it came from. */
public final class ConfigExplainer {

    private final ConfigLoader loader;

    /**
     * Creates an explainer.
     *
     * @param loader knows variables and rules
     */
    public ConfigExplainer(ConfigLoader loader) {
        this.loader = loader;
    }

    /**
     * Explains a variable.
     *
     * @param name exact name
     * @param environment values to show
     * @return the text, empty if the name is not registered
     */
    public Optional<String> explain(String name, Environment environment) {
        return loader.registry().find(name).map(variable -> text(variable, environment));
    }

    private String text(Variable<?> variable, Environment environment) {
        StringBuilder text = new StringBuilder();
        text.append(variable.name()).append('\n');
        text.append("  ").append(variable.doc()).append('\n');
        line(text, "type", variable.parser().type());
        line(text, "allowed", variable.parser().allowed());
        line(text, "default", defaultOf(variable));
        line(
                text,
                "empty text",
                switch (variable.emptyText()) {
                    case UNSET -> "same as not set";
                    case ERROR -> "refused";
                    case VALUE -> "a value of its own";
                });
        line(text, "used by", variable.owner());
        variable.alias().ifPresent(alias -> line(text, "legacy name", alias.name()));
        line(
                text,
                "value",
                ConfigPrinter.shown(variable, environment).orElse("(unset)") + " ("
                        + environment.origin(variable).name().toLowerCase(java.util.Locale.ROOT) + ")");
        for (Rule rule : loader.rules()) {
            if (rule.variables().stream().anyMatch(v -> v.name().equals(variable.name()))) {
                line(text, "rule " + rule.id(), rule.text());
            }
        }
        if (variable.name().equals("PRISM_WATCHDOG_ENABLED")) {
            line(
                    text,
                    "rule W7",
                    "0 switches off heartbeats only: the publication budget and the coordination budget stay"
                            + " active and are checked every PRISM_WATCHDOG_INTERVAL_SECONDS");
        }
        return text.toString();
    }

    /**
     * Describes the default of a variable.
     *
     * @param variable the variable
     * @return a constant, a derivation, {@code required} or {@code unset}
     */
    public static String defaultOf(Variable<?> variable) {
        if (variable.defaultText().isPresent()) {
            String text = variable.defaultText().get();
            return text.isEmpty() ? "(empty)" : text;
        }
        if (variable.derivation().isPresent()) {
            return variable.derivation().get().text();
        }
        if (variable.alias().isPresent()) {
            return defaultOf(variable.alias().get());
        }
        return variable.required() ? "required" : "unset";
    }

    private static void line(StringBuilder text, String label, String value) {
        text.append(String.format("  %-12s %s%n", label + ":", value).replace(System.lineSeparator(), "\n"));
    }
}
