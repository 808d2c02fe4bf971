package org.prismpool.app.command;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.tool.ToolStreams;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A command whose arguments, messages and exit status are the contract of a stand-alone tool: every argument is passed on as
 * it stands, and the tool itself parses, explains and refuses (spec 04 §12).
 */
@Command(preprocessor = ToolCommand.Everything.class)
final class ToolCommand implements Callable<Integer> {

    private static final int OUTPUT_BUFFER = 1 << 16;

    private final String name;
    private final CommandTool tool;
    private final Supplier<ToolStreams> streams;

    private final List<String> arguments = new ArrayList<>();

    private ToolCommand(String name, CommandTool tool, Supplier<ToolStreams> streams) {
        this.name = name;
        this.tool = tool;
        this.streams = streams;
    }

    /** Makes the command line of a tool. */
    static CommandLine line(CommandTool tool, String description, Supplier<ToolStreams> streams) {
        return line(tool.commandName(), tool, description, streams);
    }

    private static CommandLine line(String name, CommandTool tool, String description, Supplier<ToolStreams> streams) {
        CommandLine line = new CommandLine(new ToolCommand(name, tool, streams));
        line.getCommandSpec().usageMessage().description(description);
        return line;
    }

    /**
     * Makes the command lines of all tools under the names of the stand-alone programs that they replace, for launchers of
     * those names; they are not listed in the usage.
     */
    static Map<String, CommandLine> standIns(Supplier<ToolStreams> streams) {
        Map<String, CommandLine> lines = new TreeMap<>();
        for (CommandTool tool : CommandTool.values()) {
            tool.standIn().ifPresent(name -> {
                CommandLine line = line(name, tool, "Stands in for the program of this name.", streams);
                line.getCommandSpec().usageMessage().hidden(true);
                lines.put(name, line);
            });
        }
        return lines;
    }

    /** A command that only groups tools. */
    interface Group {}

    /** Lets a wrong or missing command of a group of tools be answered as the tools do: one line, exit status 1. */
    static void answerForGroups(CommandLine root) {
        CommandLine.IParameterExceptionHandler usual = root.getParameterExceptionHandler();
        root.setParameterExceptionHandler((wrong, arguments) -> {
            CommandLine at = wrong.getCommandLine();
            if (!(at.getCommand() instanceof Group)) {
                return usual.handleParseException(wrong, arguments);
            }
            at.getErr().println(at.getCommandSpec().qualifiedName() + ": " + wrong.getMessage());
            at.getErr().flush();
            return 1;
        });
    }

    /** Takes every argument from the parser, which would read {@code --} and options of its own into them. */
    static final class Everything implements IParameterPreprocessor {

        @Override
        @SuppressWarnings("JdkObsolete") // the parser's own type
        public boolean preprocess(
                Stack<String> args, CommandSpec commandSpec, @Nullable ArgSpec argSpec, Map<String, Object> info) {
            ToolCommand command = (ToolCommand) commandSpec.userObject();
            command.arguments.clear(); // a command line may be executed again
            while (!args.isEmpty()) {
                command.arguments.add(args.pop());
            }
            return true;
        }
    }

    @Override
    public Integer call() {
        ToolStreams open = streams.get();
        try {
            return tool.run(name, arguments, open);
        } finally {
            open.out().flush();
        }
    }

    /** Returns the streams of this process. */
    static ToolStreams processStreams() {
        // Unbuffered System.out would cost a system call for each small write of a large document.
        PrintStream out = new PrintStream(
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), OUTPUT_BUFFER),
                false,
                StandardCharsets.UTF_8);
        return new ToolStreams(System.in, out, System.err);
    }
}
