package org.prismpool.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.prismpool.payout.ctv.FanoutPrecommitment;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Sha256;
import org.prismpool.payout.tool.ToolStreams;
import picocli.CommandLine;

/** Every golden vector of the payout tools, through the commands: exit status, bytes and messages. */
class ToolVectorTest {

    private static final String COINBASE_SEED = "42".repeat(32);
    private static final String LEDGER_SEED = "43".repeat(32);
    private static final String LEDGER_KEY = "22fc297792f0b6ffc0bfcfdb7edb0c0aa14e025a365ec0e342e86e3829cb74b6";
    private static final String VERIFY = "qbit-prism-audit-verify";
    private static final List<String> KEYS =
            List.of("--signing-key-seed-hex", COINBASE_SEED, "--ledger-signing-key-seed-hex", LEDGER_SEED);

    private static byte[] stdin = new byte[0];
    private static ByteArrayOutputStream stdout = new ByteArrayOutputStream();
    private static ByteArrayOutputStream stderr = new ByteArrayOutputStream();
    private static final CommandLine PRISM = PrismCommand.commandLine(
            Map.of(),
            () -> new ToolStreams(
                    new ByteArrayInputStream(stdin),
                    new PrintStream(stdout, false, StandardCharsets.UTF_8),
                    new PrintStream(stderr, false, StandardCharsets.UTF_8)));

    private record Result(int exit, String out, String err) {}

    private static Result run(byte[] input, List<String> arguments) {
        stdin = input;
        stdout = new ByteArrayOutputStream();
        stderr = new ByteArrayOutputStream();
        int exit = PRISM.execute(arguments.toArray(String[]::new));
        return new Result(exit, stdout.toString(StandardCharsets.UTF_8), stderr.toString(StandardCharsets.UTF_8));
    }

    private static List<String> line(String command, List<String> first, String... more) {
        List<String> line = new ArrayList<>(List.of(command.split(" ")));
        line.addAll(first);
        line.addAll(List.of(more));
        return line;
    }

    private static Result build(byte[] input, String... more) {
        return run(input, line("audit build", KEYS, more));
    }

    private static Result verify(Path file, String tx, String... more) {
        return run(
                new byte[0],
                line(
                        VERIFY,
                        List.of(file.toString(), "--coinbase-tx-hex", tx, "--ledger-writer-public-key-hex", LEDGER_KEY),
                        more));
    }

    private static String text(String vector) {
        return new String(ToolVectors.bytes(vector), StandardCharsets.UTF_8);
    }

    private static String coinbase(JsonNode bundle) {
        return bundle.at("/signed_coinbase_manifest/manifest/coinbase_tx_hex").asText();
    }

    static Stream<String> builds() {
        return ToolVectors.folders("payout/build");
    }

    @ParameterizedTest
    @MethodSource("builds")
    void aBundleIsBuiltInEveryForm(String name) {
        byte[] input = ToolVectors.bytes("payout/build/" + name + "/input.json");
        String file = ToolVectors.path("payout/build/" + name + "/input.json").toString();
        String summary = text("payout/build/" + name + "/summary.json");

        assertThat(build(input, "--canonical-output"))
                .isEqualTo(new Result(0, text("payout/build/" + name + "/bundle.json"), ""));
        assertThat(build(new byte[0], "--input", file, "--job-summary-output")).isEqualTo(new Result(0, summary, ""));
        assertThat(build(ToolVectors.compact(input), "--job-summary-output")).isEqualTo(new Result(0, summary, ""));
        assertThat(Sha256.hex(build(input, "--input", "-").out().getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(ToolVectors.json("payout/build/" + name + "/expected.json")
                        .get("pretty_bundle_sha256")
                        .asText());
    }

    @ParameterizedTest
    @MethodSource("builds")
    void aBundleIsVerifiedCanonicalizedAndExplained(String name) {
        Path file = ToolVectors.path("payout/build/" + name + "/bundle.json");
        byte[] bytes = ToolVectors.bytes("payout/build/" + name + "/bundle.json");
        JsonNode bundle = ToolVectors.parse(bytes);
        Result canonical = new Result(0, new String(bytes, StandardCharsets.UTF_8), "");
        String value = bundle.at("/found_block/coinbase_value_sats").asText();

        assertThat(verify(file, coinbase(bundle), "--expected-coinbase-value-sats", value))
                .isEqualTo(new Result(0, text("payout/build/" + name + "/report.json"), ""));
        assertThat(run(bytes, List.of("audit", "canonicalize"))).isEqualTo(canonical);
        assertThat(run(new byte[0], List.of("audit", "canonicalize", file.toString())))
                .isEqualTo(canonical);
        for (JsonNode account : bundle.at("/payout_policy_manifest/accounts")) {
            String recipient = account.get("recipient_id").asText();
            if (!recipient.isEmpty()) {
                Result explained = run(bytes, List.of("audit", "explain", "-", "--address", recipient));
                assertThat(explained.exit()).isZero();
                assertThat(explained.out()).isNotEmpty();
            }
        }
    }

    static Stream<Named<JsonNode>> buildErrors() {
        return ToolVectors.named(ToolVectors.json("payout/errors/build-errors.json"));
    }

    @ParameterizedTest
    @MethodSource("buildErrors")
    void aFaultyInputFailsWithTheContractText(JsonNode vector) {
        byte[] input = vector.has("input_text")
                ? vector.get("input_text").asText().getBytes(StandardCharsets.UTF_8)
                : ToolVectors.bytes(vector.get("input"));
        List<String> arguments = List.of(
                "--signing-key-seed-hex",
                vector.path("signing_key_seed_hex").asText(COINBASE_SEED),
                "--ledger-signing-key-seed-hex",
                vector.path("ledger_signing_key_seed_hex").asText(LEDGER_SEED),
                "--canonical-output");

        Result alias = run(input, line("qbit-prism-build-audit-bundle", arguments));
        Result command = run(input, line("audit build", arguments));

        assertThat(alias.exit()).isEqualTo(vector.get("exit").asInt());
        assertThat(alias.out()).isEmpty();
        if (vector.get("stderr_is_contract").asBoolean()) {
            assertThat(alias.err()).isEqualTo(vector.get("stderr").asText());
        } else {
            assertThat(alias.err())
                    .startsWith("qbit-prism-build-audit-bundle: ")
                    .containsOnlyOnce("\n");
        }
        assertThat(command)
                .isEqualTo(new Result(
                        alias.exit(),
                        "",
                        alias.err().replaceFirst("^qbit-prism-build-audit-bundle", "prism audit build")));
    }

    static Stream<Named<JsonNode>> verifyCases() {
        return ToolVectors.named(ToolVectors.json("payout/errors/verify-cases.json"));
    }

    @ParameterizedTest
    @MethodSource("verifyCases")
    void aPatchedBundleIsJudgedByTheContract(JsonNode vector, @TempDir Path folder) throws IOException {
        JsonNode bundle = ToolVectors.json("payout/" + vector.get("base").asText());
        JsonNode overrides = vector.path("arguments");
        List<String> arguments = new ArrayList<>(List.of(
                "--coinbase-tx-hex",
                overrides.path("coinbase_tx_hex").asText(coinbase(bundle)),
                "--ledger-writer-public-key-hex",
                overrides.path("ledger_writer_public_key_hex").asText(LEDGER_KEY)));
        if (overrides.has("expected_coinbase_value_sats")) {
            arguments.add("--expected-coinbase-value-sats");
            arguments.add(overrides.get("expected_coinbase_value_sats").asText());
        }
        ToolVectors.patch(bundle, vector.get("patch"));
        arguments.add(Files.write(folder.resolve("bundle.json"), ToolVectors.bytes(bundle))
                .toString());

        Result result = run(new byte[0], line(VERIFY, arguments));

        assertThat(result.err()).isEqualTo(vector.get("stderr").asText());
        assertThat(result.exit()).isEqualTo(vector.get("exit").asInt());
        if (result.exit() == 0) {
            assertThat(Sha256.hex(result.out().getBytes(StandardCharsets.UTF_8)))
                    .isEqualTo(vector.get("stdout_sha256").asText());
        } else {
            assertThat(result.out()).isEmpty();
        }
    }

    static Stream<Named<JsonNode>> cliCases() {
        return ToolVectors.named(ToolVectors.json("payout/errors/cli-cases.json"));
    }

    @ParameterizedTest
    @MethodSource("cliCases")
    void aCommandLineIsAnsweredByTheContract(JsonNode vector) {
        String tool = vector.get("tool").asText();

        Result result = run(
                vector.get("stdin").asText().getBytes(StandardCharsets.UTF_8),
                line(tool, ToolVectors.texts(vector.get("arguments"))));

        assertThat(result.exit()).isEqualTo(vector.get("exit").asInt());
        String out = vector.get("stdout").asText();
        if (out.startsWith("usage:") || out.startsWith("Usage:")) {
            assertThat(result.out()).startsWith(out.substring(0, "usage: ".length()) + tool);
        } else {
            assertThat(result.out()).isEqualTo(out);
        }
        String err = vector.get("stderr").asText();
        if (err.contains("EOF while parsing")) {
            assertThat(result.err())
                    .startsWith(err.substring(0, err.indexOf("EOF")))
                    .containsOnlyOnce("\n");
        } else {
            assertThat(result.err()).isEqualTo(err);
        }
    }

    static Stream<Named<JsonNode>> canonicalizeCases() {
        return ToolVectors.named(ToolVectors.json("payout/canonicalize/cases.json"));
    }

    @ParameterizedTest
    @MethodSource("canonicalizeCases")
    void anEquivalentDocumentHasTheCanonicalBytes(JsonNode vector) {
        String name = "payout/" + vector.get("input").asText();
        Result expected = new Result(0, text("payout/" + vector.get("expected").asText()), "");

        assertThat(run(ToolVectors.bytes(name), List.of("audit", "canonicalize")))
                .isEqualTo(expected);
        assertThat(run(
                        new byte[0],
                        List.of(
                                "qbit-prism-audit-canonicalize",
                                "--input",
                                ToolVectors.path(name).toString())))
                .isEqualTo(expected);
    }

    static Stream<Named<JsonNode>> bodyCases() {
        return ToolVectors.named(ToolVectors.json("payout/bodies/cases.json"));
    }

    @ParameterizedTest
    @MethodSource("bodyCases")
    void aCompactBodyResolvesOrFailsByTheContract(JsonNode vector) {
        String name = "payout/" + vector.get("body").asText();
        Path body = ToolVectors.path(name);
        JsonNode expected = vector.get("expected");
        String message = expected.get("stderr")
                .asText()
                .replace("{dir}", body.getParent().toString());
        boolean fails = expected.get("exit").asInt() != 0;
        String bundle = fails ? "" : text(name.replace("body.json", "bundle.json"));

        assertThat(run(new byte[0], List.of("qbit-prism-audit-canonicalize", "--input", body.toString())))
                .isEqualTo(new Result(fails ? 1 : 0, bundle, message));
        Result verified = verify(body, vector.get("tx").asText());
        assertThat(verified.exit()).isEqualTo(fails ? 1 : 0);
        assertThat(verified.err()).isEqualTo(message.replace("qbit-prism-audit-canonicalize", VERIFY));
    }

    static Stream<Named<JsonNode>> reorgCases() {
        return ToolVectors.named(ToolVectors.json("payout/reorg/cases.json"));
    }

    @ParameterizedTest
    @MethodSource("reorgCases")
    void aReorganisationIsReportedByTheContract(JsonNode vector, @TempDir Path folder) throws IOException {
        byte[] input = ToolVectors.bytes(vector.get("input"));
        Path file = Files.write(folder.resolve("reorg.json"), input);
        Result expected = new Result(
                vector.get("exit").asInt(),
                vector.path("stdout").asText(""),
                vector.get("stderr").asText());

        assertThat(run(input, List.of("qbit-prism-reorg-verify"))).isEqualTo(expected);
        assertThat(run(new byte[0], List.of("reorg-verify", file.toString())))
                .isEqualTo(new Result(
                        expected.exit(),
                        expected.out(),
                        expected.err().replace("qbit-prism-reorg-verify", "prism reorg-verify")));
    }

    static Stream<Named<JsonNode>> builderRequests() {
        return ToolVectors.named(ToolVectors.json("payout/builder/requests.json"));
    }

    @ParameterizedTest
    @MethodSource("builderRequests")
    void aCoinbaseRequestIsAnsweredByTheContract(JsonNode vector) {
        assertThat(run(
                        ToolVectors.bytes(vector.get("request")),
                        List.of("qbit-pool-builder", "--signing-key-seed-hex", COINBASE_SEED)))
                .isEqualTo(new Result(
                        vector.get("exit").asInt(),
                        vector.path("stdout").asText(""),
                        vector.get("stderr").asText()));
    }

    static Stream<Named<JsonNode>> settlements() {
        return ToolVectors.named(ToolVectors.json("ctv/end-to-end.json").get("vectors"));
    }

    @ParameterizedTest
    @MethodSource("settlements")
    void aSettlementIsBuiltByTheContract(JsonNode vector) {
        Result result = build(ToolVectors.bytes(vector.get("builder_input")), "--canonical-output");

        if (vector.has("expected_error")) {
            assertThat(result)
                    .isEqualTo(new Result(
                            1,
                            "",
                            "prism audit build: " + vector.get("expected_error").asText() + "\n"));
            return;
        }
        JsonNode bundle = ToolVectors.parse(result.out().getBytes(StandardCharsets.UTF_8));
        assertThat(coinbase(bundle)).isEqualTo(vector.get("coinbase_tx_hex").asText());
        for (String member :
                List.of("settlement_mode_decision", "audit_commitment_leaves_hex", "audit_commitment_root_hex")) {
            assertThat(bundle.get(member)).isEqualTo(vector.get(member));
        }
        if (vector.get("ctv_fanout_manifest_set").isNull()) {
            assertThat(bundle.has("ctv_fanout_manifest_set")).isFalse();
        } else {
            assertThat(bundle.get("ctv_fanout_manifest_set")).isEqualTo(vector.get("ctv_fanout_manifest_set"));
        }
    }

    static Stream<Arguments> falseSets() {
        Map<String, String> bases = new HashMap<>();
        settlements()
                .forEach(each -> bases.put(
                        "end-to-end.json#" + each.getName(),
                        build(ToolVectors.bytes(each.getPayload().get("builder_input")), "--canonical-output")
                                .out()));
        return ToolVectors.elements(ToolVectors.json("ctv/verify-negative.json").get("groups"))
                .flatMap(group -> ToolVectors.elements(group.get("cases"))
                        .map(each -> Arguments.of(
                                Named.of(each.get("name").asText(), each),
                                Named.of(
                                        group.get("base").asText(),
                                        bases.get(group.get("base").asText())))));
    }

    @ParameterizedTest
    @MethodSource("falseSets")
    void aFalseFanoutInABundleIsFound(JsonNode vector, String built, @TempDir Path folder) throws IOException {
        ObjectNode bundle = (ObjectNode) ToolVectors.parse(built.getBytes(StandardCharsets.UTF_8));
        JsonNode set = bundle.get("ctv_fanout_manifest_set");
        ToolVectors.patch(set, vector.get("ops"));
        for (JsonNode index : vector.path("recommit_manifests")) {
            ObjectNode manifest = (ObjectNode) set.at("/manifests/" + index.asInt());
            FanoutPrecommitment changed =
                    FanoutPrecommitment.read(ExactReader.of(ToolVectors.bytes(manifest.get("precommitment"))));
            manifest.put("precommitment_sha256_hex", changed.sha256Hex());
            manifest.put("commitment_witness_leaf_hex", changed.commitmentLeafHex());
        }
        Path file = Files.write(folder.resolve("bundle.json"), ToolVectors.bytes(bundle));

        Result result = verify(file, coinbase(bundle));

        String expected = vector.get("expected_error").asText();
        if (expected.equals("OK")) { // the set itself holds; the bundle around it may not
            assertThat(result.err()).doesNotContain("invalid CTV fanout manifest");
        } else {
            assertThat(result).isEqualTo(new Result(1, "", VERIFY + ": " + expected + "\n"));
        }
    }

    @Test
    void everyToolIsACommandAndIsCalledWithoutTheParser() {
        for (CommandTool tool : CommandTool.values()) {
            List<String> words = List.of(tool.commandName().split(" "));

            assertThat(run(new byte[0], line(tool.commandName().substring("prism ".length()), List.of("-h"))))
                    .satisfies(result -> assertThat(result.exit()).isZero())
                    .satisfies(result -> assertThat(result.out().toLowerCase(Locale.ROOT))
                            .startsWith("usage: " + tool.commandName()));
            assertThat(words.get(words.size() - 1)).isEqualTo(tool.word());
        }
        assertThat(CommandTool.run(List.of("audit"))).isEmpty();
        assertThat(CommandTool.run(List.of("audit", "--help"))).isEmpty();
        assertThat(CommandTool.run(List.of("x", "reorg-verify"))).isEmpty();
        assertThat(CommandTool.run(List.of())).isEmpty();
    }

    @Test
    void theServeTranscriptIsAnsweredByTheContract() {
        JsonNode transcript = ToolVectors.json("payout/serve/transcript.json");
        StringBuilder requests = new StringBuilder();
        ToolVectors.elements(transcript.get("steps"))
                .forEach(step -> requests.append(step.get("send").asText()).append('\n'));

        Result result = run(
                requests.toString().getBytes(StandardCharsets.UTF_8),
                line("audit build", ToolVectors.texts(transcript.get("arguments"))));

        assertThat(result.exit()).isEqualTo(transcript.get("exit").asInt());
        assertThat(result.err()).isEmpty();
        List<String> replies = result.out().lines().toList();
        assertThat(replies.get(0)).isEqualTo(transcript.get("handshake").asText());
        for (int i = 0; i < transcript.get("steps").size(); i++) {
            JsonNode expected = transcript.get("steps").get(i).get("receive");
            ObjectNode actual =
                    (ObjectNode) ToolVectors.parse(replies.get(i + 1).getBytes(StandardCharsets.UTF_8));
            if (actual.remove("metrics") != null) {
                actual.set("metrics", expected.get("metrics"));
            }
            if (expected.path("error").asText().startsWith("malformed serve request: ")) {
                assertThat(actual.remove("error").asText()).startsWith("malformed serve request: ");
                ((ObjectNode) expected).remove("error");
            }
            assertThat(actual).isEqualTo(expected);
        }
    }
}
