package org.prismpool.app.command;

import java.util.function.Supplier;
import org.prismpool.payout.tool.ToolStreams;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code prism coinbase}: builds coinbase transactions and signs their manifests. */
@Command(
        name = "coinbase",
        description = "Build a coinbase and its signed manifest.",
        mixinStandardHelpOptions = true,
        versionProvider = PrismVersion.class)
final class CoinbaseCommand implements Runnable, ToolCommand.Group {

    @Spec
    private CommandSpec spec;

    private CoinbaseCommand() {}

    static CommandLine line(Supplier<ToolStreams> streams) {
        CommandLine line = new CommandLine(new CoinbaseCommand());
        CommandTool tool = CommandTool.COINBASE_BUILD;
        line.addSubcommand(tool.word(), ToolCommand.line(tool, "Build a signed coinbase manifest.", streams));
        return line;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is needed");
    }
}
