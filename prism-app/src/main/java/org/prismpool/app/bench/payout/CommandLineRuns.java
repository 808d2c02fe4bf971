package org.prismpool.app.bench.payout;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.prismpool.app.Main;
import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.payout.audit.AuditBundleBuilder;
import org.prismpool.payout.json.ByteSink;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.signing.SigningSeed;

/** Measures whole commands: this program started anew for each, files on the disk, a heap of 1 GiB. For one thread. */
final class CommandLineRuns {

    private static final int FULL_SIZE = 400_000;
    private static final long MAX_MINUTES = 5;
    private static final String COINBASE_SEED = "42".repeat(SigningSeed.SIZE);
    private static final String LEDGER_SEED = "43".repeat(SigningSeed.SIZE);

    private final MadeWindow window;
    private final int rounds;
    private final LongSupplier nanoTime;

    CommandLineRuns(MadeWindow window, int rounds, LongSupplier nanoTime) {
        this.window = window;
        this.rounds = rounds;
        this.nanoTime = nanoTime;
    }

    /**
     * Runs the commands.
     *
     * @param directory an empty folder with room for about 1 GB for 400 000 shares
     */
    List<Figure> measure(Path directory) throws IOException, InterruptedException {
        Path input = directory.resolve("input.json");
        Path bundle = directory.resolve("bundle.json");
        Path coinbase = directory.resolve("coinbase.hex");
        write(input);
        Files.writeString(coinbase, coinbaseHex(), StandardCharsets.US_ASCII);
        boolean full = window.shares().size() == FULL_SIZE;
        List<Figure> figures = new ArrayList<>();
        // Half of what the reference takes on two cores; the faster of its stated times is taken.
        figures.add(run(
                "audit build --canonical-output",
                full ? OptionalLong.of(3000) : OptionalLong.empty(),
                bundle,
                List.of(
                        "audit",
                        "build",
                        "--canonical-output",
                        "--input",
                        input.toString(),
                        "--signing-key-seed-hex",
                        COINBASE_SEED,
                        "--ledger-signing-key-seed-hex",
                        LEDGER_SEED)));
        figures.add(run(
                "audit verify",
                full ? OptionalLong.of(6000) : OptionalLong.empty(),
                directory.resolve("report.json"),
                List.of(
                        "audit",
                        "verify",
                        bundle.toString(),
                        "--coinbase-tx-hex-file",
                        coinbase.toString(),
                        "--ledger-writer-public-key-hex",
                        SigningSeed.ofHex(LEDGER_SEED).publicKeyHex())));
        return figures;
    }

    private void write(Path input) throws IOException {
        try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(input))) {
            window.write(CanonicalWriter.compact(ByteSink.to(file)));
        }
    }

    private String coinbaseHex() {
        AuditBundle bundle = new AuditBundleBuilder(SigningSeed.ofHex(COINBASE_SEED), SigningSeed.ofHex(LEDGER_SEED))
                .build(window.input(0));
        return bundle.signedCoinbaseManifest().manifest().coinbaseTxHex();
    }

    private Figure run(String name, OptionalLong targetMillis, Path output, List<String> arguments)
            throws IOException, InterruptedException {
        long[] nanos = new long[rounds];
        for (int i = 0; i < rounds; i++) {
            nanos[i] = once(output, arguments);
        }
        return Figure.of(name, nanos, targetMillis);
    }

    private long once(Path output, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(arguments);
        long began = nanoTime.getAsLong();
        Process process =
                new ProcessBuilder(command).redirectOutput(output.toFile()).start();
        try (InputStream errors = process.getErrorStream()) {
            String said = new String(errors.readNBytes(1 << 16), StandardCharsets.UTF_8);
            if (!process.waitFor(MAX_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IOException("command failed: " + said.strip());
            }
        } finally {
            process.destroyForcibly();
        }
        return nanoTime.getAsLong() - began;
    }
}
