package org.prismpool.payout.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.payout.Vectors;
import org.prismpool.payout.json.ByteSink;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.WindowShare;

/** Whole tools in processes of their own with a small heap: documents are streamed, only the shares stay in memory. */
class BoundedMemoryTest {

    private static final int SHARES = 50_000;
    private static final String HEAP = "-Xmx128m"; // in proportion to 1 GiB for 400 000 shares

    @TempDir
    private Path folder;

    /** Runs one tool in this process: name, file of standard output, arguments. */
    public static void main(String[] arguments) throws IOException {
        List<String> rest = List.of(arguments).subList(2, arguments.length);
        try (PrintStream out =
                new PrintStream(new BufferedOutputStream(new FileOutputStream(arguments[1])), false, "UTF-8")) {
            ToolStreams streams = new ToolStreams(new ByteArrayInputStream(new byte[0]), out, System.err);
            System.exit(
                    arguments[0].equals("build")
                            ? AuditTool.build("build", rest, streams)
                            : AuditTool.verify("verify", rest, streams));
        }
    }

    @Test
    void aBundleFarLargerThanItsShareOfTheHeapIsBuiltAndVerified() throws IOException, InterruptedException {
        Path input = folder.resolve("input.json");
        try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(input))) {
            write(CanonicalWriter.compact(ByteSink.to(file)));
        }
        Path bundle = folder.resolve("bundle.json");

        run(
                "build",
                bundle,
                "--canonical-output",
                "--input",
                input.toString(),
                "--signing-key-seed-hex",
                Vectors.COINBASE_SEED,
                "--ledger-signing-key-seed-hex",
                Vectors.LEDGER_SEED);
        assertThat(Files.size(bundle)).isGreaterThan(40L << 20);
        Path coinbase = Files.writeString(folder.resolve("coinbase.hex"), coinbaseHex(bundle));
        Path report = folder.resolve("report.json");
        run(
                "verify",
                report,
                bundle.toString(),
                "--coinbase-tx-hex-file",
                coinbase.toString(),
                "--ledger-writer-public-key-hex",
                Vectors.LEDGER_KEY);

        assertThat(Files.readString(report)).contains("\"onchain_output_count\": 500");
    }

    private static String coinbaseHex(Path bundle) throws IOException {
        String text = Files.readString(bundle, StandardCharsets.UTF_8);
        int from = text.lastIndexOf("\"coinbase_tx_hex\":\"") + "\"coinbase_tx_hex\":\"".length();
        return text.substring(from, text.indexOf('"', from));
    }

    private static void run(String tool, Path output, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                BoundedMemoryTest.class.getName(),
                tool,
                output.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }

    private static void write(CanonicalWriter out) {
        out.beginObject();
        out.name(Name.of("shares"));
        out.beginArray();
        for (int seq = 1; seq <= SHARES; seq++) {
            String miner = String.format("qb1z%058d", seq % 500);
            new WindowShare(
                            seq,
                            miner + ":" + String.format("%064x", seq),
                            new PayoutIdentity(miner, miner, String.format("%064x", seq % 500 + 1)),
                            U128.ofUnsigned(800),
                            U128.ONE,
                            100,
                            "job-" + seq / 50,
                            seq,
                            seq,
                            1,
                            Optional.empty())
                    .write(out);
        }
        out.endArray();
        out.name(Name.of("found_block"));
        new FoundBlock(101, 500L * 20_000, U128.ofUnsigned(SHARES * 100L), SHARES).write(out);
        out.endObject();
        out.finishLine();
    }
}
