package org.prismpool.payout.tool;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.prismpool.payout.audit.AuditArtifact;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.payout.audit.AuditBundleBuilder;
import org.prismpool.payout.audit.AuditVerifier;
import org.prismpool.payout.audit.JobSummary;
import org.prismpool.payout.audit.PayoutExplanation;
import org.prismpool.payout.audit.PhaseMetrics;
import org.prismpool.payout.audit.VerificationReport;
import org.prismpool.payout.json.ByteSink;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.signing.SigningSeed;

/** The audit commands. Stateless; each run blocks on its input and output and returns the exit status, 0 or 1. */
public final class AuditTool {

    private static final LongSupplier MONOTONIC = System::nanoTime;

    private AuditTool() {}

    /**
     * Builds a bundle or a job summary, or serves requests; parses the arguments itself.
     *
     * @param tool name that messages begin with
     * @param arguments command-line arguments after the command's name
     * @param streams the streams
     * @return exit status
     */
    public static int build(String tool, List<String> arguments, ToolStreams streams) {
        return ToolRun.run(tool, streams, () -> runBuild(tool, BuildArguments.parse(arguments), streams));
    }

    private static void runBuild(String tool, BuildArguments arguments, ToolStreams streams) throws IOException {
        if (arguments.help()) {
            ToolRun.line(
                    streams,
                    "usage: " + tool
                            + " --signing-key-seed-hex <64 hex chars> --ledger-signing-key-seed-hex <64 hex chars>"
                            + " [--input <bundle-input.json|-] [--canonical-output|--job-summary-output]"
                            + " [--phase-metrics] [--serve]");
            return;
        }
        arguments.check();
        SigningSeed signer = arguments.signingKey().seed();
        SigningSeed ledgerSigner = arguments.ledgerSigningKey().seed();
        if (arguments.serve()) {
            arguments.checkServe();
            ServeTool.serve(signer, ledgerSigner, streams, MONOTONIC);
            return;
        }
        PhaseMetrics metrics = new PhaseMetrics(MONOTONIC);
        AuditBuildInput input;
        metrics.inputBegan();
        try (InputStream in = ToolRun.open(arguments.input(), streams)) {
            input = AuditBuildInput.read(ExactReader.of(in), arguments.jobSummaryOutput());
        }
        metrics.inputEnded();
        AuditBundleBuilder builder = new AuditBundleBuilder(signer, ledgerSigner, metrics);
        writeBuild(arguments, builder, input, metrics, streams);
        if (arguments.phaseMetrics()) {
            String line = "qbit-prism-build-phase-metrics " + metrics.toJson() + "\n";
            streams.err().writeBytes(line.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void writeBuild(
            BuildArguments arguments,
            AuditBundleBuilder builder,
            AuditBuildInput input,
            PhaseMetrics metrics,
            ToolStreams streams) {
        if (arguments.jobSummaryOutput()) {
            CanonicalWriter out = ToolRun.compact(streams);
            JobSummary summary = builder.summarize(input);
            metrics.outputBegan();
            summary.write(out);
            out.flush();
        } else {
            AuditBundle bundle = builder.build(input);
            metrics.outputBegan();
            ToolRun.large(streams, sink -> write(bundle, arguments.canonicalOutput(), sink));
        }
        metrics.outputEnded();
    }

    /**
     * Verifies a bundle against the chain; parses the arguments itself.
     *
     * @param tool name that messages begin with
     * @param arguments command-line arguments after the command's name
     * @param streams the streams
     * @return exit status
     */
    public static int verify(String tool, List<String> arguments, ToolStreams streams) {
        return ToolRun.run(tool, streams, () -> runVerify(tool, VerifyArguments.parse(arguments), streams));
    }

    private static void runVerify(String tool, VerifyArguments arguments, ToolStreams streams) throws IOException {
        if (arguments.help()) {
            ToolRun.line(
                    streams,
                    "usage: " + tool + " <audit-bundle.json> --coinbase-tx-hex <raw-tx-hex>"
                            + " --ledger-writer-public-key-hex <64 hex chars>"
                            + " [--expected-coinbase-value-sats <sats>]");
            return;
        }
        arguments.check();
        AuditBundle bundle = AuditArtifact.read(Path.of(arguments.path().orElseThrow()));
        VerificationReport report =
                new AuditVerifier(arguments.ledgerWriterPublicKeyHex().orElseThrow()).verify(bundle);
        Optional<String> given = arguments.coinbaseTxHex();
        String onChain = given.isPresent()
                ? given.get()
                : ToolRun.text(Path.of(arguments.coinbaseTxHexFile().orElseThrow()));
        AuditVerifier.compareWithChain(report, onChain, arguments.expectedCoinbaseValueSats());
        CanonicalWriter out = ToolRun.pretty(streams);
        report.write(out);
        out.finishLine();
    }

    /**
     * Writes the canonical bytes of a bundle in any stored form.
     *
     * @param tool name that messages begin with
     * @param arguments command-line arguments after the command's name
     * @param streams the streams
     * @return exit status
     */
    public static int canonicalize(String tool, List<String> arguments, ToolStreams streams) {
        return ToolRun.run(tool, streams, () -> {
            InputArgument input = InputArgument.parse(arguments);
            if (input.help()) {
                ToolRun.line(streams, "usage: " + tool + " [--input <audit-bundle.json|->]");
                return;
            }
            AuditBundle bundle = artifact(input.path(), streams);
            ToolRun.large(streams, sink -> write(bundle, true, sink));
        });
    }

    private static void write(AuditBundle bundle, boolean canonical, ByteSink sink) {
        if (canonical) {
            CanonicalWriter out = CanonicalWriter.compact(sink);
            bundle.write(out);
            out.flush();
        } else {
            CanonicalWriter out = CanonicalWriter.pretty(sink);
            bundle.write(out);
            out.finishLine();
        }
    }

    /**
     * Says in words why a recipient got what it got.
     *
     * @param tool name that messages begin with
     * @param arguments command-line arguments after the command's name: a bundle and {@code --address A}
     * @param streams the streams
     * @return exit status
     */
    public static int explain(String tool, List<String> arguments, ToolStreams streams) {
        return ToolRun.run(tool, streams, () -> {
            String path = "";
            String address = "";
            ArgumentCursor cursor = new ArgumentCursor(arguments);
            while (cursor.hasNext()) {
                String argument = cursor.next();
                if (ArgumentCursor.isHelp(argument)) {
                    ToolRun.line(streams, "usage: " + tool + " <audit-bundle.json> --address <payout address>");
                    return;
                } else if (argument.equals("--address")) {
                    address = cursor.value("--address requires a payout address");
                } else if (path.isEmpty()) {
                    path = argument;
                } else {
                    throw ArgumentCursor.unexpected(argument);
                }
            }
            explain(path, address, streams);
        });
    }

    private static void explain(String path, String address, ToolStreams streams) {
        if (path.isEmpty()) {
            throw new ToolFailure("missing audit bundle JSON path");
        }
        if (address.isEmpty()) {
            throw new ToolFailure("--address is required");
        }
        PayoutExplanation explanation = PayoutExplanation.of(artifact(Optional.of(path), streams), address);
        if (!explanation.isRecipient()) {
            throw new ToolFailure(String.join(" ", explanation.lines()));
        }
        explanation.lines().forEach(line -> ToolRun.line(streams, line));
    }

    /** Reads a bundle in any stored form; references in one from standard input resolve in the working directory. */
    private static AuditBundle artifact(Optional<String> path, ToolStreams streams) {
        return ToolRun.isStandardInput(path)
                ? AuditArtifact.read(streams.in(), Path.of(""))
                : AuditArtifact.read(Path.of(path.orElseThrow()));
    }
}
