package org.prismpool.app.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.prismpool.app.composition.LedgerSchema;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code prism migrate}: brings the ledger's schema up to date and says how it stands. */
@Command(
        name = "migrate",
        description = "Apply and inspect the ledger schema.",
        mixinStandardHelpOptions = true,
        versionProvider = PrismVersion.class)
final class MigrateCommand implements Runnable {

    private static final int UNREACHABLE = 3;

    private final Map<String, String> process;

    @Spec
    private CommandSpec spec;

    @Mixin
    private EnvironmentFiles files = new EnvironmentFiles();

    MigrateCommand(Map<String, String> process) {
        this.process = process;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is needed");
    }

    @Command(
            name = "up",
            description = "Apply the schema; without effect when it is current.",
            mixinStandardHelpOptions = true)
    int up() throws IOException {
        return print(LedgerSchema::up);
    }

    @Command(
            name = "status",
            description = "Show what is pending and what is missing.",
            mixinStandardHelpOptions = true)
    int status() throws IOException {
        return print(LedgerSchema::status);
    }

    private interface Action {
        List<String> run(LedgerSchema schema);
    }

    private int print(Action action) throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        LedgerSchema schema;
        try {
            schema = LedgerSchema.of(files.over(process));
        } catch (IllegalArgumentException unset) {
            err.println("prism migrate: " + unset.getMessage());
            return 1;
        }
        try {
            action.run(schema).forEach(spec.commandLine().getOut()::println);
            spec.commandLine().getOut().flush();
            return 0;
        } catch (RuntimeException failed) {
            err.println("prism migrate: " + failed.getMessage());
            return UNREACHABLE;
        }
    }
}
