package org.prismpool.config.render;

import org.prismpool.config.variable.Variable;
import org.prismpool.config.variable.VariableRegistry;

/** Documents made from the registry, so that they cannot drift from it. Stateless and thread-safe. */
public final class RegistryTables {

    private static final String PAGE_HEAD = """
            # Configuration

            Every environment variable of `prism run`, generated from the registry (`prism config markdown`); a test compares this page with it.
            The packaged service overrides some defaults; `prism config explain NAME` also shows the rules that mention a variable.

            """;

    private RegistryTables() {}

    /**
     * Makes the whole reference page.
     *
     * @param registry the variables
     * @return heading and tables
     */
    public static String markdownPage(VariableRegistry registry) {
        return PAGE_HEAD + markdown(registry);
    }

    /**
     * Makes the Markdown reference: a table per group.
     *
     * @param registry the variables
     * @return the document's tables
     */
    public static String markdown(VariableRegistry registry) {
        StringBuilder text = new StringBuilder();
        for (VariableRegistry.Group group : registry.groups()) {
            text.append("## ").append(group.title()).append("\n\n");
            text.append("| Variable | Type | Default | Allowed | Meaning | Used by |\n|---|---|---|---|---|---|\n");
            for (Variable<?> v : group.variables()) {
                text.append("| `")
                        .append(v.name())
                        .append("` | ")
                        .append(cell(v.parser().type()));
                text.append(" | ").append(cell(ConfigExplainer.defaultOf(v)));
                text.append(" | ").append(cell(v.parser().allowed()));
                text.append(" | ")
                        .append(cell(v.doc()))
                        .append(" | ")
                        .append(cell(v.owner()))
                        .append(" |\n");
            }
            text.append('\n');
        }
        return text.toString();
    }

    /**
     * Makes an environment file with every variable commented out at its default.
     *
     * @param registry the variables
     * @return the file; required variables stand uncommented and empty
     */
    public static String environmentTemplate(VariableRegistry registry) {
        StringBuilder text = new StringBuilder();
        for (VariableRegistry.Group group : registry.groups()) {
            text.append("# ").append(group.title()).append('\n');
            for (Variable<?> v : group.variables()) {
                text.append("\n# ")
                        .append(v.doc())
                        .append("\n# allowed: ")
                        .append(v.parser().allowed())
                        .append('\n');
                boolean fill = v.required();
                text.append(fill ? "" : "#")
                        .append(v.name())
                        .append('=')
                        .append(v.defaultText().orElse(""))
                        .append('\n');
            }
            text.append('\n');
        }
        return text.toString();
    }

    /**
     * Makes the environment block of a compose service: every variable is forwarded, with the packaged value as its default.
     *
     * @param registry the variables
     * @param indent blanks before each line
     * @return YAML mapping lines
     */
    public static String composeEnvironment(VariableRegistry registry, int indent) {
        StringBuilder text = new StringBuilder();
        for (Variable<?> v : registry.variables()) {
            if (v.effective()) {
                text.append(" ".repeat(indent))
                        .append(v.name())
                        .append(':')
                        .append(composeValue(v))
                        .append('\n');
            }
        }
        return text.toString();
    }

    private static String composeValue(Variable<?> v) {
        String packaged = v.packagedText().or(v::defaultText).orElse("");
        // Unset must stay unset: an empty text is an error or a value for many variables, so those without a
        // packaged value are passed through by name only.
        if (packaged.isEmpty()) {
            return v.emptyText() == Variable.EmptyText.UNSET ? " \"${" + v.name() + ":-}\"" : "";
        }
        // An empty text that is a value of its own must arrive as such.
        String otherwise = v.emptyText() == Variable.EmptyText.VALUE ? "-" : ":-";
        return " \"${" + v.name() + otherwise + packaged.replace("\\", "\\\\").replace("\"", "\\\"") + "}\"";
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;");
    }
}
