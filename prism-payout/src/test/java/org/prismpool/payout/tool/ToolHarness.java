package org.prismpool.payout.tool;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs tools with captured streams. */
final class ToolHarness {

    record Result(int exit, String stdout, String stderr) {}

    /** A tool's entry. */
    @FunctionalInterface
    interface Entry {
        int run(String tool, List<String> arguments, ToolStreams streams);
    }

    private ToolHarness() {}

    static Result run(String tool, List<String> arguments, byte[] stdin) {
        Entry entry = switch (tool) {
            case "qbit-prism-build-audit-bundle" -> AuditTool::build;
            case "qbit-prism-audit-verify" -> AuditTool::verify;
            case "qbit-prism-audit-canonicalize" -> AuditTool::canonicalize;
            case "qbit-prism-reorg-verify" -> ReorgVerifyTool::run;
            case "qbit-pool-builder" -> CoinbaseTool::build;
            default -> throw new IllegalArgumentException(tool);
        };
        return run(entry, tool, arguments, stdin);
    }

    static Result run(Entry entry, String tool, List<String> arguments, byte[] stdin) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit = entry.run(
                tool,
                arguments,
                new ToolStreams(new ByteArrayInputStream(stdin), new PrintStream(out), new PrintStream(err)));
        return new Result(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
