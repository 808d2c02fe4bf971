package org.prismpool.app;

import java.util.List;
import org.prismpool.app.command.CommandTool;
import org.prismpool.app.command.PrismCommand;
import org.prismpool.app.logging.LogOutput;

/** Entry point of the {@code prism} program; the only place that reads the process environment. */
public final class Main {

    private Main() {}

    /**
     * Runs one command and exits with its status.
     *
     * @param args command line
     */
    public static void main(String[] args) {
        int status = CommandTool.run(List.of(args)).orElseGet(() -> parsed(args));
        System.out.flush();
        System.err.flush();
        // Not System.exit: every thread of ours is joined by its owner, and hooks of libraries must not delay the end.
        Runtime.getRuntime().halt(status);
    }

    private static int parsed(String[] args) {
        LogOutput.quiet();
        return PrismCommand.commandLine(System.getenv()).execute(args);
    }
}
