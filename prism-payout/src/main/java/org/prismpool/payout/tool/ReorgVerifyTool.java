package org.prismpool.payout.tool;

import java.io.InputStream;
import java.util.List;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.reorg.ReorgVerifier;

/** The command that verifies a reorganisation. Stateless; blocks on its input and output. */
public final class ReorgVerifyTool {

    private ReorgVerifyTool() {}

    /**
     * Verifies a request document and prints the report.
     *
     * @param tool name that messages begin with
     * @param arguments command-line arguments after the command's name
     * @param streams the streams
     * @return exit status
     */
    public static int run(String tool, List<String> arguments, ToolStreams streams) {
        return ToolRun.run(tool, streams, () -> {
            InputArgument input = InputArgument.parse(arguments);
            if (input.help()) {
                ToolRun.line(streams, "usage: " + tool + " [--input] <reorg-input.json|->");
                return;
            }
            ReorgVerifier.Request request;
            try (InputStream in = ToolRun.open(input.path(), streams)) {
                request = ReorgVerifier.Request.read(ExactReader.of(in));
            }
            ReorgVerifier.Report report = ReorgVerifier.verify(request);
            CanonicalWriter out = ToolRun.pretty(streams);
            report.write(out);
            out.finishLine();
        });
    }
}
