package org.prismpool.payout.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.prismpool.payout.Vectors;
import org.prismpool.payout.signing.SigningSeed;

class ToolTest {

    private static final List<String> KEYS = List.of(
            "--signing-key-seed-hex", Vectors.COINBASE_SEED, "--ledger-signing-key-seed-hex", Vectors.LEDGER_SEED);

    static Stream<byte[]> hostileInputs() {
        byte[] bundle = Vectors.bytes("payout/build/two-miners/bundle.json");
        return Stream.of(
                new byte[0],
                new byte[] {0},
                new byte[] {(byte) 0xff, (byte) 0xfe, '{', 0},
                "[".repeat(100_000).getBytes(StandardCharsets.US_ASCII),
                "{\"shares\":".repeat(50_000).getBytes(StandardCharsets.US_ASCII),
                ("{\"schema\":\"" + "x".repeat(1 << 20)).getBytes(StandardCharsets.US_ASCII),
                ("{\"found_block\":" + "9".repeat(1 << 20) + "}").getBytes(StandardCharsets.US_ASCII),
                "{\"schema\":\"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1),
                "{\"schema\":\"a\",\"schema\":\"b\"}".getBytes(StandardCharsets.US_ASCII),
                "[[1,2],\"x\"]".getBytes(StandardCharsets.US_ASCII),
                "\"text\"".getBytes(StandardCharsets.US_ASCII),
                Arrays.copyOf(bundle, bundle.length / 2),
                Arrays.copyOf(bundle, bundle.length - 1),
                Arrays.copyOf(bundle, bundle.length + 1));
    }

    @ParameterizedTest
    @MethodSource("hostileInputs")
    void hostileInputGivesOneLineAndExitOne(byte[] input) {
        for (String tool : List.of(
                "qbit-prism-build-audit-bundle",
                "qbit-prism-audit-canonicalize",
                "qbit-prism-reorg-verify",
                "qbit-pool-builder")) {
            List<String> arguments = switch (tool) {
                case "qbit-prism-build-audit-bundle" -> KEYS;
                case "qbit-pool-builder" -> KEYS.subList(0, 2);
                default -> List.of();
            };

            ToolHarness.Result result = ToolHarness.run(tool, arguments, input);

            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.stdout()).isEmpty();
            assertThat(result.stderr())
                    .startsWith(tool + ": ")
                    .endsWith("\n")
                    .containsOnlyOnce("\n")
                    .doesNotContain("Exception")
                    .hasSizeLessThan(400);
        }
    }

    @Test
    void phaseMetricsFollowOnStandardErrorAfterSuccess() {
        ToolHarness.Result result = ToolHarness.run(
                "qbit-prism-build-audit-bundle",
                Stream.concat(KEYS.stream(), Stream.of("--phase-metrics", "--job-summary-output"))
                        .toList(),
                Vectors.bytes("payout/build/ctv-hybrid/input.json"));

        assertThat(result.exit()).isZero();
        assertThat(result.stderr())
                .startsWith("qbit-prism-build-phase-metrics {\"input_deserialization_seconds\":0.")
                .contains("\"payout_state_derivation\":", "\"ctv_manifest_construction\":")
                .contains("\"coinbase_bundle_construction\":", "\"signing_verification\":")
                .endsWith("}\n");
    }

    @Test
    void aCoinbaseTooLongForOneArgumentIsReadFromAFile(@TempDir Path folder) throws IOException {
        Path bundle = Vectors.path("payout/build/two-miners/bundle.json");
        String tx = Vectors.json("payout/build/two-miners/bundle.json")
                .at("/signed_coinbase_manifest/manifest/coinbase_tx_hex")
                .asText();
        Path file = Files.writeString(folder.resolve("tx.hex"), tx + "\n");

        ToolHarness.Result result = ToolHarness.run(
                "qbit-prism-audit-verify",
                List.of(
                        bundle.toString(),
                        "--coinbase-tx-hex-file",
                        file.toString(),
                        "--ledger-writer-public-key-hex",
                        Vectors.LEDGER_KEY,
                        "--expected-coinbase-value-sats",
                        "+500000000"),
                new byte[0]);

        assertThat(result.stderr()).isEmpty();
        assertThat(result.stdout())
                .isEqualTo(new String(Vectors.bytes("payout/build/two-miners/report.json"), StandardCharsets.UTF_8));
    }

    @Test
    void aFanoutBuildWithAnUpperCaseProgramIsRefusedBecauseNobodyCouldVerifyIt() {
        String input = new String(Vectors.bytes("payout/build/ctv-hybrid/input.json"), StandardCharsets.UTF_8)
                .replaceAll("(\"p2mr_program_hex\": *\")([0-9a-f]{2})", "$1AB");

        ToolHarness.Result result =
                ToolHarness.run("qbit-prism-build-audit-bundle", KEYS, input.getBytes(StandardCharsets.UTF_8));

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.stderr()).endsWith(" p2mr_program_hex must be lower case\n");
    }

    @Test
    void anEmptyPathIsAFileThatIsNotThere() {
        assertThat(ToolHarness.run("qbit-prism-audit-canonicalize", List.of("--input", ""), new byte[0])
                        .stderr())
                .isEqualTo("qbit-prism-audit-canonicalize: failed to read audit artifact: No such file or directory (os"
                        + " error 2)\n");
    }

    @Test
    void theFirstArgumentThatIsNoOptionOfTheVerifierIsThePath() {
        ToolHarness.Result result = ToolHarness.run(
                "qbit-prism-audit-verify",
                List.of("--other", "--coinbase-tx-hex", "00", "--ledger-writer-public-key-hex", "00"),
                new byte[0]);

        assertThat(result.stderr())
                .isEqualTo("qbit-prism-audit-verify: failed to read audit artifact: No such file or directory (os"
                        + " error 2)\n");
    }

    @Test
    void theLastInputOptionWinsOverAPositionalPathAndWithoutAValueMeansStandardInput() {
        byte[] bundle = Vectors.bytes("payout/build/two-miners/bundle.json");
        String file = Vectors.path("payout/build/two-miners/bundle.json").toString();

        for (List<String> arguments : List.of(
                List.of("absent", "--input", file),
                List.of("--input", "absent", "--input", file),
                List.of("absent", "--input"))) {
            assertThat(ToolHarness.run("qbit-prism-audit-canonicalize", arguments, bundle)
                            .stdout())
                    .isEqualTo(new String(bundle, StandardCharsets.UTF_8));
        }
    }

    @Test
    void anExplanationSaysWhichSharesDoNotCountAndWhy() {
        ToolHarness.Result partial = explain("window-partial-share", "miner-b");
        ToolHarness.Result late = explain("late-accept-excluded", "miner-late");

        assertThat(partial.stdout()).contains("only 8 of its 40 counts, because the window is full with that.");
        assertThat(late.stderr())
                .isEqualTo(
                        "prism audit explain: this block has no recipient miner-late: no share of it counts and nothing"
                                + " was owed to it before. 1 listed share does not count here: issued or accepted after the"
                                + " anchor, it belongs to a later window.\n");
    }

    private static ToolHarness.Result explain(String vector, String address) {
        return ToolHarness.run(
                AuditTool::explain,
                "prism audit explain",
                List.of(Vectors.path("payout/build/" + vector + "/bundle.json").toString(), "--address", address),
                new byte[0]);
    }

    @Test
    void anExplanationTellsWorkBalanceAndPayment() {
        Path bundle = Vectors.path("payout/build/ctv-hybrid-fee/bundle.json");

        ToolHarness.Result result = ToolHarness.run(
                AuditTool::explain,
                "prism audit explain",
                List.of(bundle.toString(), "--address", "miner-b"),
                new byte[0]);

        assertThat(result.exit()).isZero();
        assertThat(result.stdout())
                .contains("Of it 2 is this recipient's, 40 %.")
                .contains("Its part of the reward is 40000 sats.")
                .contains("of the fanout transaction ")
                .contains(" of network fee.");
    }

    @Test
    void anExplanationOfAnAccruedAccountNamesTheSmallestPayment() {
        Path bundle = Vectors.path("payout/build/fixture-power-law/bundle.json");

        ToolHarness.Result result = ToolHarness.run(
                AuditTool::explain,
                "prism audit explain",
                List.of(bundle.toString(), "--address", "44".repeat(32)),
                new byte[0]);

        assertThat(result.stdout())
                .contains("Nothing is paid by this block: what is due is below the smallest payment of 14720 sats"
                        + " (3680 bytes/input * 1 sat/byte * 4x safety).")
                .contains("Carried forward to the next block: 4000 sats.");
    }

    @Test
    void anUnknownRecipientIsAnError() {
        Path bundle = Vectors.path("payout/build/two-miners/bundle.json");

        assertThat(ToolHarness.run(
                                AuditTool::explain,
                                "prism audit explain",
                                List.of(bundle.toString(), "--address", "nobody"),
                                new byte[0])
                        .stderr())
                .isEqualTo(
                        "prism audit explain: this block has no recipient nobody: no share of it counts and nothing was owed"
                                + " to it before. None of the 2 listed shares is its own.\n");
    }

    @Test
    void aGeneratedSeedIsItsOwnersAloneAndNeverOverwritten(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("seed");

        ToolHarness.Result first =
                keys(io -> KeyTool.generate("prism keys", Optional.of(file), new SecureRandom(), io));
        ToolHarness.Result second =
                keys(io -> KeyTool.generate("prism keys", Optional.of(file), new SecureRandom(), io));
        ToolHarness.Result key = keys(io -> KeyTool.publicKey("prism keys", Optional.of(file), io));

        assertThat(first.exit()).isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(first.stdout()).isEqualTo(SigningSeed.ofFile(file).publicKeyHex() + "\n");
        assertThat(key.stdout()).isEqualTo(first.stdout());
        assertThat(second.exit()).isEqualTo(1);
        assertThat(second.stderr()).isEqualTo("prism keys: refusing to overwrite " + file + "\n");
    }

    @Test
    void aTrustedKeyThatIsNotTheSeedsIsReported() {
        assertThat(keys(io -> KeyTool.check("prism keys", Vectors.LEDGER_KEY, Vectors.LEDGER_SEED, io))
                        .exit())
                .isZero();
        ToolHarness.Result wrong =
                keys(io -> KeyTool.check("prism keys", Vectors.LEDGER_KEY, Vectors.COINBASE_SEED, io));
        assertThat(wrong.exit()).isEqualTo(1);
        assertThat(wrong.stderr()).contains("belongs to public key 2152f8d1").doesNotContain(Vectors.COINBASE_SEED);
    }

    private static ToolHarness.Result keys(Function<ToolStreams, Integer> command) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit = command.apply(
                new ToolStreams(new ByteArrayInputStream(new byte[0]), new PrintStream(out), new PrintStream(err)));
        return new ToolHarness.Result(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
