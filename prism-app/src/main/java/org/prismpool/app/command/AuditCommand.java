package org.prismpool.app.command;

import java.util.function.Supplier;
import org.prismpool.payout.tool.AuditTool;
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
        line.addSubcommand(
                "build",
                ToolCommand.line(
                        "prism audit build", "Build an audit bundle or a job summary.", AuditTool::build, streams));
        line.addSubcommand(
                "verify",
                ToolCommand.line(
                        "prism audit verify", "Verify a bundle against a coinbase.", AuditTool::verify, streams));
        line.addSubcommand(
                "canonicalize",
                ToolCommand.line(
                        "prism audit canonicalize",
                        "Write the canonical bytes of a bundle.",
                        AuditTool::canonicalize,
                        streams));
        line.addSubcommand(
                "explain",
                ToolCommand.line(
                        "prism audit explain",
                        "Say in words why an address got what it got.",
                        AuditTool::explain,
                        streams));
        return line;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is needed");
    }
}
