package org.prismpool.payout.tool;

import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.prismpool.payout.coinbase.CoinbaseBuildRequest;
import org.prismpool.payout.coinbase.CoinbaseBuilder;
import org.prismpool.payout.coinbase.SignedCoinbaseManifest;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.signing.SigningSeed;

/** The command that builds a coinbase and signs its manifest. Stateless; blocks on its input and output. */
public final class CoinbaseTool {

    private CoinbaseTool() {}

    /**
     * Builds a coinbase from a request document and prints the signed manifest, or prints the public key of the seed.
     *
     * @param tool name that messages begin with
     * @param arguments command-line arguments after the command's name
     * @param streams the streams
     * @return exit status
     */
    public static int build(String tool, List<String> arguments, ToolStreams streams) {
        return ToolRun.run(tool, streams, () -> {
            SeedArgument key = SeedArgument.NONE;
            Optional<String> input = Optional.empty();
            boolean printKey = false;
            ArgumentCursor cursor = new ArgumentCursor(arguments);
            while (cursor.hasNext()) {
                String argument = cursor.next();
                switch (argument) {
                    case "--signing-key-seed-hex" -> key = key.withHex(cursor.value());
                    case "--signing-key-file" -> key = key.withFile(cursor.value());
                    case "--input" -> input = cursor.value();
                    case "--print-public-key-hex" -> printKey = true;
                    case "-h", "--help" -> {
                        usage(tool, streams);
                        return;
                    }
                    default -> throw new ToolFailure("unknown argument: " + argument);
                }
            }
            if (!key.isGiven()) {
                throw new ToolFailure("--signing-key-seed-hex is required");
            }
            SigningSeed signer = key.seed();
            if (printKey) {
                ToolRun.line(streams, signer.publicKeyHex());
                return;
            }
            CoinbaseBuildRequest request;
            try (InputStream in = ToolRun.open(input, streams)) {
                ExactReader reader = ExactReader.of(in);
                request = CoinbaseBuildRequest.read(reader);
                reader.end();
            }
            SignedCoinbaseManifest signed = SignedCoinbaseManifest.sign(CoinbaseBuilder.build(request), signer);
            CanonicalWriter out = ToolRun.pretty(streams);
            signed.write(out);
            out.finishLine();
        });
    }

    private static void usage(String tool, ToolStreams streams) {
        ToolRun.line(streams, "Usage: " + tool + " --signing-key-seed-hex <64 hex chars> [--input request.json]");
        ToolRun.line(
                streams,
                "Reads a CoinbaseBuildRequest JSON document and writes a signed payout manifest JSON document.");
        ToolRun.line(
                streams,
                "Use --print-public-key-hex to print the Ed25519 public key for a seed without reading input.");
    }
}
