package org.prismpool.app.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.prismpool.app.check.CheckReport;
import org.prismpool.app.check.SelfCheck;
import org.prismpool.config.ProcessRole;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code prism check}: judges configuration, node, database and a running coordinator; 1 if a row fails. */
@Command(
        name = "check",
        description = "Check configuration, node, database and a running coordinator.",
        mixinStandardHelpOptions = true,
        versionProvider = PrismVersion.class)
final class CheckCommand implements Callable<Integer> {

    private final Map<String, String> process;

    @Spec
    private CommandSpec spec;

    @Mixin
    private EnvironmentFiles files = new EnvironmentFiles();

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            defaultValue = "all",
            description = "all, coordinator or public: what that role uses (${DEFAULT-VALUE}).")
    private ProcessRole role = ProcessRole.ALL;

    @Option(names = "--skip-live", description = "Judge the configuration only; ask no backend.")
    private boolean skipLive;

    @Option(names = "--json", description = "Print one JSON document; the rows go to standard error.")
    private boolean json;

    @Option(names = "--strict", description = "Let a warning count as a failure.")
    private boolean strict;

    @Option(names = "--only", paramLabel = "ID", split = ",", description = "Only rows with these ids.")
    private List<String> only = List.of();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "Longest time of one probe (${DEFAULT-VALUE}).")
    private int timeout;

    CheckCommand(Map<String, String> process) {
        this.process = process;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (timeout < 1) {
            throw new ParameterException(spec.commandLine(), "--timeout must be 1 or more");
        }
        SelfCheck check = new SelfCheck(files.over(process), role, Duration.ofSeconds(timeout));
        CheckReport report = check.run(!skipLive, strict, Set.copyOf(only));
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            spec.commandLine().getErr().print(report.text());
            spec.commandLine().getErr().flush();
            out.println(report.json());
        } else {
            out.print(report.text());
        }
        out.flush();
        return report.ok() ? 0 : 1;
    }
}
