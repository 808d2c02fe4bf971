package org.prismpool.bundle.compile;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.prismpool.payout.tool.AuditTool;
import org.prismpool.payout.tool.ToolStreams;

/** The project's own bundle tool as a program, for tests that need a whole real helper. */
final class AuditBuildMain {

    private AuditBuildMain() {}

    public static void main(String[] args) {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        int status = AuditTool.build("helper", List.of(args), new ToolStreams(System.in, out, System.err));
        out.flush();
        Runtime.getRuntime().halt(status);
    }
}
