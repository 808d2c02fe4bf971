package org.prismpool.app.command;

import java.util.function.Supplier;
import org.prismpool.payout.tool.ToolStreams;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code prism audit}: builds, verifies, canonicalizes and explains audit bundles. */
@Command(
        name = "audit",
        description = "Build, verify, canonicalize and explain audit bundles.",
        mixinStandardHelpOptions = true,
        versionProvider = PrismVersion.class)
final class AuditCommand implements Runnable, ToolCommand.Group {

    @Spec
    private CommandSpec spec;

    private AuditCommand() {}

    static CommandLine line(Supplier<ToolStreams> streams) {
        CommandLine line = new CommandLine(new AuditCommand());
        add(line, CommandTool.AUDIT_BUILD, "Build an audit bundle or a job summary.", streams);
        add(line, CommandTool.AUDIT_VERIFY, "Verify a bundle against a coinbase.", streams);
        add(line, CommandTool.AUDIT_CANONICALIZE, "Write the canonical bytes of a bundle.", streams);
        add(line, CommandTool.AUDIT_EXPLAIN, "Say in words why an address got what it got.", streams);
        return line;
    }

    private static void add(CommandLine line, CommandTool tool, String description, Supplier<ToolStreams> streams) {
        line.addSubcommand(tool.word(), ToolCommand.line(tool, description, streams));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is needed");
    }
}
