package org.prismpool.app.command;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.prismpool.payout.tool.ToolStreams;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/**
 * A command whose arguments, messages and exit status are the contract of a stand-alone tool: every argument is passed on as
 * it stands, and the tool itself parses, explains and refuses (spec 04 §12).
 */
@Command
final class ToolCommand implements Callable<Integer> {

    /** The tool behind a command. */
    @FunctionalInterface
    interface Tool {
        int run(String name, List<String> arguments, ToolStreams streams);
    }

    private static final int OUTPUT_BUFFER = 1 << 16;

    private final String name;
    private final Tool tool;

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    private ToolCommand(String name, Tool tool) {
        this.name = name;
        this.tool = tool;
    }

    /** Makes the command line of a tool. */
    static CommandLine line(String name, String description, Tool tool) {
        CommandLine line = new CommandLine(new ToolCommand(name, tool));
        line.getCommandSpec().usageMessage().description(description);
        line.setStopAtPositional(false);
        line.setUnmatchedOptionsArePositionalParams(false);
        return line;
    }

    @Override
    public Integer call() {
        // Unbuffered System.out would cost a system call for each small write of a large document.
        PrintStream out = new PrintStream(
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), OUTPUT_BUFFER),
                false,
                StandardCharsets.UTF_8);
        try {
            return tool.run(name, arguments, new ToolStreams(System.in, out, System.err));
        } finally {
            out.flush();
        }
    }
}
