package org.prismpool.app.command;

import java.util.Map;
import java.util.function.Supplier;
import org.prismpool.app.bench.BenchCommand;
import org.prismpool.payout.tool.ToolStreams;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code prism} command: asks for a subcommand. */
@Command(
        name = "prism",
        description = "Mining-pool coordinator for the qbit chain.",
        mixinStandardHelpOptions = true,
        versionProvider = PrismVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = GenerateCompletion.class)
public final class PrismCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    private PrismCommand() {}

    /**
     * Builds the command line of the program.
     *
     * @param environment copy of the process environment; the only source of configuration besides files named on the
     *     command line
     * @return a command line ready to execute
     */
    public static CommandLine commandLine(Map<String, String> environment) {
        return commandLine(environment, ToolCommand::processStreams);
    }

    /**
     * Builds it for other streams than those of the process, of which its audit, coinbase and reorg tools read and write.
     *
     * @param environment as above
     * @param streams asked once each time that such a tool is run
     * @return a command line ready to execute
     */
    public static CommandLine commandLine(Map<String, String> environment, Supplier<ToolStreams> streams) {
        CommandLine line = new CommandLine(new PrismCommand());
        line.addSubcommand(new RunCommand(environment));
        line.addSubcommand(new DemoCommand(environment));
        line.addSubcommand(new CheckCommand(environment));
        line.addSubcommand(new ConfigCommand(environment));
        line.addSubcommand("audit", AuditCommand.line(streams));
        line.addSubcommand("coinbase", CoinbaseCommand.line(streams));
        line.addSubcommand(
                CommandTool.REORG_VERIFY.word(),
                ToolCommand.line(
                        CommandTool.REORG_VERIFY, "Verify a chain reorganisation's reversal of payouts.", streams));
        line.addSubcommand(new KeysCommand(environment, streams));
        line.addSubcommand(new MigrateCommand(environment));
        line.addSubcommand(new DevnodeCommand());
        line.addSubcommand(BenchCommand.line());
        ToolCommand.standIns(streams).forEach(line::addSubcommand);
        ToolCommand.answerForGroups(line);
        line.setExpandAtFiles(false); // an argument means what it says, also to the tools behind the commands
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler((failure, commandLine, parsed) -> {
            commandLine.getErr().println(commandLine.getCommandSpec().qualifiedName() + ": " + failure.getMessage());
            commandLine.getErr().flush();
            return 1;
        });
        return line;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is needed");
    }
}
