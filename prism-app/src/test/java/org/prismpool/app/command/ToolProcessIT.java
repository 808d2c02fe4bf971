package org.prismpool.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.app.Main;

/** The commands that stand in for other tools, each in a process of its own: bytes, streams and exit status. */
class ToolProcessIT {

    private static final String COINBASE_SEED = "42".repeat(32);
    private static final String LEDGER_SEED = "43".repeat(32);
    private static final String LEDGER_KEY = "22fc297792f0b6ffc0bfcfdb7edb0c0aa14e025a365ec0e342e86e3829cb74b6";
    private static final String INPUT = "{\"shares\":[" + share(1, "a", "11", 10) + "," + share(2, "b", "22", 20)
            + "],\"found_block\":{\"block_height\":101,\"coinbase_value_sats\":500000000,\"network_difficulty\":10,"
            + "\"anchor_job_issued_at_ms\":1000}}";
    // The worked example of the payout specification.
    private static final String BUNDLE_SHA256 = "e01aa8ba6b6de89e90232db465d57f9536ad69bce9208c3eab29b44fce99eb09";

    @TempDir
    private Path folder;

    private record Result(int exit, String out, String err) {}

    @Test
    void aBundleIsBuiltCanonicalizedVerifiedAndExplained() throws IOException, InterruptedException {
        Result built = run(
                INPUT,
                "audit",
                "build",
                "--signing-key-seed-hex",
                COINBASE_SEED,
                "--ledger-signing-key-seed-hex",
                LEDGER_SEED,
                "--canonical-output");
        Path bundle = Files.writeString(folder.resolve("bundle.json"), built.out());
        String coinbase = built.out().replaceAll("(?s).*\"coinbase_tx_hex\":\"([0-9a-f]+)\".*", "$1");

        Result canonical = run(built.out(), "audit", "canonicalize");
        Result verified = run(
                "",
                "audit",
                "verify",
                bundle.toString(),
                "--coinbase-tx-hex",
                coinbase,
                "--ledger-writer-public-key-hex",
                LEDGER_KEY,
                "--expected-coinbase-value-sats",
                "500000000");
        Result wrong = run(
                "",
                "qbit-prism-audit-verify",
                bundle.toString(),
                "--coinbase-tx-hex",
                "00",
                "--ledger-writer-public-key-hex",
                LEDGER_KEY);
        Result explained = run(built.out(), "audit", "explain", "-", "--address", "miner-b");

        assertThat(built.out()).endsWith("}").hasSize(6068);
        assertThat(canonical).isEqualTo(new Result(0, built.out(), ""));
        assertThat(verified.exit()).isZero();
        assertThat(verified.out())
                .contains("\"audit_bundle_sha256_hex\": \"" + BUNDLE_SHA256 + "\"")
                .endsWith("}\n");
        assertThat(wrong)
                .isEqualTo(new Result(
                        1, "", "qbit-prism-audit-verify: on-chain coinbase tx hex does not match the audit bundle\n"));
        assertThat(explained.out()).contains("Its part of the reward is 333333333 sats.");
    }

    @Test
    void argumentsReachTheToolsAsTheyStand() throws IOException, InterruptedException {
        assertThat(run("", "audit", "build", "--").err()).isEqualTo("prism audit build: unexpected argument: --\n");
        assertThat(run("", "audit", "build", "@file").err())
                .isEqualTo("prism audit build: unexpected argument: @file\n");
        assertThat(run("", "coinbase", "build", "x"))
                .isEqualTo(new Result(1, "", "prism coinbase build: unknown argument: x\n"));
        assertThat(run("", "qbit-pool-builder", "--signing-key-seed-hex", LEDGER_SEED, "--print-public-key-hex"))
                .isEqualTo(new Result(0, LEDGER_KEY + "\n", ""));
        assertThat(run("{", "reorg-verify").err())
                .startsWith("prism reorg-verify: ")
                .containsOnlyOnce("\n");
    }

    @Test
    void badSeedsAreFoundBeforeTheInputIsRead() throws IOException, InterruptedException {
        assertThat(run(
                                "{",
                                "audit",
                                "build",
                                "--signing-key-seed-hex",
                                "42",
                                "--ledger-signing-key-seed-hex",
                                LEDGER_SEED)
                        .err())
                .isEqualTo("prism audit build: invalid manifest signing key seed length: expected 32 bytes, got 1\n");
        assertThat(run(
                                "",
                                "audit",
                                "build",
                                "--signing-key-seed-hex",
                                "zz",
                                "--ledger-signing-key-seed-hex",
                                LEDGER_SEED,
                                "--serve",
                                "--canonical-output")
                        .err())
                .isEqualTo("prism audit build: hex decode failed: Invalid character 'z' at position 0\n");
    }

    @Test
    void aGroupWithoutACommandAnswersLikeATool() throws IOException, InterruptedException {
        Result none = run("", "audit");
        Result unknown = run("", "coinbase", "nonsense");

        assertThat(none.exit()).isEqualTo(1);
        assertThat(none.err()).startsWith("prism audit: ").containsOnlyOnce("\n");
        assertThat(unknown.exit()).isEqualTo(1);
        assertThat(unknown.err()).startsWith("prism coinbase: ").containsOnlyOnce("\n");
    }

    private static String share(int seq, String miner, String program, int difficulty) {
        return String.format(
                "{\"share_seq\":%d,\"share_id\":\"share-%d\",\"miner_id\":\"miner-%s\",\"order_key\":\"0%d\","
                        + "\"p2mr_program_hex\":\"%s\",\"share_difficulty\":%d,\"network_difficulty\":10,"
                        + "\"template_height\":100,\"job_id\":\"job-1000\",\"job_issued_at_ms\":1000,"
                        + "\"accepted_at_ms\":1000,\"ntime\":1800000000}",
                seq, seq, miner, seq, program.repeat(32), difficulty);
    }

    private Result run(String stdin, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(stdin.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // a tool that refuses its arguments does not read its input
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    }
}
