package org.prismpool.app.command;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.prismpool.payout.tool.AuditTool;
import org.prismpool.payout.tool.CoinbaseTool;
import org.prismpool.payout.tool.ReorgVerifyTool;
import org.prismpool.payout.tool.ToolStreams;

/** The commands that pass every argument on as it stands, and the stand-alone programs that they replace. */
public enum CommandTool {
    /** Builds an audit bundle or a job summary. */
    AUDIT_BUILD("audit build", "qbit-prism-build-audit-bundle", AuditTool::build),
    /** Verifies a bundle against a coinbase. */
    AUDIT_VERIFY("audit verify", "qbit-prism-audit-verify", AuditTool::verify),
    /** Writes the canonical bytes of a bundle. */
    AUDIT_CANONICALIZE("audit canonicalize", "qbit-prism-audit-canonicalize", AuditTool::canonicalize),
    /** Says in words why an address got what it got. */
    AUDIT_EXPLAIN("audit explain", "", AuditTool::explain),
    /** Builds a signed coinbase manifest. */
    COINBASE_BUILD("coinbase build", "qbit-pool-builder", CoinbaseTool::build),
    /** Verifies a chain reorganisation's reversal of payouts. */
    REORG_VERIFY("reorg-verify", "qbit-prism-reorg-verify", ReorgVerifyTool::run);

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> words;

    private final String standIn;

    @SuppressWarnings("ImmutableEnumChecker") // a reference to a static method
    private final Tool tool;

    CommandTool(String words, String standIn, Tool tool) {
        this.words = List.of(words.split(" "));
        this.standIn = standIn;
        this.tool = tool;
    }

    /** A tool as a function. */
    @FunctionalInterface
    private interface Tool {
        int run(String name, List<String> arguments, ToolStreams streams);
    }

    /**
     * Runs a tool on the streams of this process if the arguments begin with its name. What the command-line parser would do
     * is the same, but building the parser takes longer than most runs.
     *
     * @param arguments all arguments of the program
     * @return the exit status; empty if they name no tool
     */
    public static OptionalInt run(List<String> arguments) {
        for (CommandTool each : values()) {
            if (!each.standIn.isEmpty() && arguments.indexOf(each.standIn) == 0) {
                return OptionalInt.of(each.run(each.standIn, arguments.subList(1, arguments.size())));
            }
            int count = each.words.size();
            if (arguments.size() >= count && arguments.subList(0, count).equals(each.words)) {
                return OptionalInt.of(each.run(each.commandName(), arguments.subList(count, arguments.size())));
            }
        }
        return OptionalInt.empty();
    }

    private int run(String name, List<String> arguments) {
        ToolStreams streams = ToolCommand.processStreams();
        try {
            return run(name, arguments, streams);
        } finally {
            streams.out().flush();
        }
    }

    int run(String name, List<String> arguments, ToolStreams streams) {
        return tool.run(name, arguments, streams);
    }

    /** The last word of the command. */
    String word() {
        return words.get(words.size() - 1);
    }

    /** How messages of the command begin. */
    String commandName() {
        return "prism " + String.join(" ", words);
    }

    /** The program that it replaces, if there is one. */
    Optional<String> standIn() {
        return standIn.isEmpty() ? Optional.empty() : Optional.of(standIn);
    }
}
