package org.prismpool.app.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.prismpool.config.ConfigLoader;
import org.prismpool.config.ConfigReport;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.config.ProcessRole;
import org.prismpool.config.render.ConfigExplainer;
import org.prismpool.config.render.RegistryTables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code prism config}: shows and explains the configuration. */
@Command(
        name = "config",
        description = "Show, explain and document the configuration.",
        mixinStandardHelpOptions = true,
        versionProvider = PrismVersion.class)
final class ConfigCommand implements Callable<Integer> {

    private static final int COMPOSE_INDENT = 6;
    private static final String ROLE = "--role";
    private static final String ROLE_DEFAULT = "all";
    private static final String ROLE_TEXT = "all, coordinator or public: what that role uses (${DEFAULT-VALUE}).";

    private final Map<String, String> process;

    @Spec
    private CommandSpec spec;

    @Mixin
    private EnvironmentFiles files = new EnvironmentFiles();

    ConfigCommand(Map<String, String> process) {
        this.process = process;
    }

    @Override
    public Integer call() throws IOException {
        return print(false, false, false, false, false, ProcessRole.ALL);
    }

    @Command(
            name = "print",
            description = "Print effective values; 1 if the configuration is invalid.",
            mixinStandardHelpOptions = true)
    int print(
            @Option(names = "--effective", description = "What is in effect (the default).") boolean effective,
            @Option(names = "--diff", description = "Only what is set explicitly.") boolean diff,
            @Option(names = "--defaults", description = "What would hold if nothing were set.") boolean defaults,
            @Option(names = "--show-source", description = "Say where each value came from, its type and range.")
                    boolean source,
            @Option(names = "--json", description = "One JSON document; findings go to standard error.") boolean json,
            @Option(names = ROLE, paramLabel = "ROLE", defaultValue = ROLE_DEFAULT, description = ROLE_TEXT)
                    ProcessRole role)
            throws IOException {
        if (Stream.of(effective, diff, defaults).filter(Boolean::booleanValue).count() > 1) {
            throw new ParameterException(spec.commandLine(), "--effective, --diff and --defaults exclude each other");
        }
        ConfigLoader loader = PrismConfiguration.loader(role);
        ConfigReport report = loader.load(files.over(process));
        List<ShownSetting> settings = loader.registry().variables().stream()
                .filter(variable -> !diff || report.environment().given(variable))
                .flatMap(variable -> ShownSetting.of(variable, report.environment(), defaults).stream())
                .toList();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(ShownSetting.json(report.ok(), settings));
        } else {
            settings.forEach(setting -> out.println(setting.line(source)));
        }
        out.flush();
        spec.commandLine().getErr().print(report.render());
        spec.commandLine().getErr().flush();
        return report.ok() ? 0 : 1;
    }

    @Command(name = "explain", description = "Explain one variable, or all.", mixinStandardHelpOptions = true)
    int explain(
            @Parameters(arity = "0..1", paramLabel = "NAME", description = "Exact variable name.", defaultValue = "")
                    String name,
            @Option(names = ROLE, paramLabel = "ROLE", defaultValue = ROLE_DEFAULT, description = ROLE_TEXT)
                    ProcessRole role)
            throws IOException {
        ConfigLoader loader = PrismConfiguration.loader(role);
        ConfigReport report = loader.load(files.over(process));
        ConfigExplainer explainer = new ConfigExplainer(loader);
        PrintWriter out = spec.commandLine().getOut();
        if (name.isEmpty()) {
            loader.registry()
                    .variables()
                    .forEach(v -> explainer
                            .explain(v.name(), report.environment())
                            .ifPresent(text -> out.print(text + "\n")));
        } else if (explainer.explain(name, report.environment()).isPresent()) {
            out.print(explainer.explain(name, report.environment()).orElseThrow());
        } else {
            String hint = loader.registry()
                    .nearest(name)
                    .map(n -> "; did you mean " + n + "?")
                    .orElse("");
            spec.commandLine().getErr().println("prism config explain: unknown variable " + name + hint);
            return 1;
        }
        out.flush();
        return 0;
    }

    @Command(name = "template", description = "Print a commented environment file.", mixinStandardHelpOptions = true)
    int template(
            @Option(names = ROLE, paramLabel = "ROLE", defaultValue = ROLE_DEFAULT, description = ROLE_TEXT)
                    ProcessRole role) {
        return write(RegistryTables.environmentTemplate(PrismConfiguration.registry(role)));
    }

    @Command(
            name = "markdown",
            description = "Print the reference page docs/configuration.md.",
            mixinStandardHelpOptions = true)
    int markdown() {
        return write(RegistryTables.markdownPage(PrismConfiguration.registry()));
    }

    @Command(
            name = "compose",
            description = "Print the coordinator's environment block of deploy/compose.yaml.",
            mixinStandardHelpOptions = true)
    int compose() {
        return write(RegistryTables.composeEnvironment(PrismConfiguration.registry(), COMPOSE_INDENT));
    }

    private int write(String text) {
        spec.commandLine().getOut().print(text);
        spec.commandLine().getOut().flush();
        return 0;
    }
}
