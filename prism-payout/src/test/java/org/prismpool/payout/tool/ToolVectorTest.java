package org.prismpool.payout.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.prismpool.payout.Vectors;
import org.prismpool.payout.json.Sha256;

class ToolVectorTest {

    private static final String BUILD = "qbit-prism-build-audit-bundle";
    private static final String VERIFY = "qbit-prism-audit-verify";
    private static final String CANONICALIZE = "qbit-prism-audit-canonicalize";
    private static final String REORG = "qbit-prism-reorg-verify";
    private static final String POOL_BUILDER = "qbit-pool-builder";
    private static final Pattern FREE_TEXT = Pattern.compile("\\(os error 2\\)|EOF while parsing|^usage:|^Usage:");

    static Stream<Named<JsonNode>> buildErrors() {
        return named("payout/errors/build-errors.json");
    }

    static Stream<Named<JsonNode>> verifyCases() {
        return named("payout/errors/verify-cases.json");
    }

    static Stream<Named<JsonNode>> cliCases() {
        return named("payout/errors/cli-cases.json");
    }

    static Stream<Named<JsonNode>> canonicalizeCases() {
        return named("payout/canonicalize/cases.json");
    }

    static Stream<Named<JsonNode>> bodyCases() {
        return named("payout/bodies/cases.json");
    }

    static Stream<Named<JsonNode>> reorgCases() {
        return named("payout/reorg/cases.json");
    }

    static Stream<Named<JsonNode>> builderRequests() {
        return named("payout/builder/requests.json");
    }

    private static Stream<Named<JsonNode>> named(String file) {
        return Vectors.elements(Vectors.json(file))
                .map(node -> Named.of(node.get("name").asText(), node));
    }

    @ParameterizedTest
    @MethodSource("buildErrors")
    void aFaultyBuildInputFailsWithTheReferenceText(JsonNode vector) {
        byte[] input = vector.has("input_text")
                ? vector.get("input_text").asText().getBytes(StandardCharsets.UTF_8)
                : Vectors.bytes(vector.get("input"));

        ToolHarness.Result result = ToolHarness.run(
                BUILD,
                List.of(
                        "--signing-key-seed-hex",
                        vector.path("signing_key_seed_hex").asText(Vectors.COINBASE_SEED),
                        "--ledger-signing-key-seed-hex",
                        vector.path("ledger_signing_key_seed_hex").asText(Vectors.LEDGER_SEED),
                        "--canonical-output"),
                input);

        assertThat(result.exit()).isEqualTo(vector.get("exit").asInt());
        assertThat(result.stdout()).isEmpty();
        if (vector.get("stderr_is_contract").asBoolean()) {
            assertThat(result.stderr()).isEqualTo(vector.get("stderr").asText());
        } else {
            assertThat(result.stderr()).startsWith(BUILD + ": ").containsOnlyOnce("\n");
        }
    }

    @ParameterizedTest
    @MethodSource("verifyCases")
    void aPatchedBundleVerifiesOrFailsLikeTheReference(JsonNode vector, @TempDir Path folder) throws IOException {
        JsonNode bundle = Vectors.json("payout/" + vector.get("base").asText());
        String coinbase =
                bundle.at("/signed_coinbase_manifest/manifest/coinbase_tx_hex").asText();
        JsonPatches.apply(bundle, vector.get("patch"));
        Path file = Files.write(folder.resolve("bundle.json"), Vectors.bytes(bundle));
        JsonNode overrides = vector.path("arguments");
        List<String> arguments = new ArrayList<>(List.of(
                file.toString(),
                "--coinbase-tx-hex",
                overrides.path("coinbase_tx_hex").asText(coinbase),
                "--ledger-writer-public-key-hex",
                overrides.path("ledger_writer_public_key_hex").asText(Vectors.LEDGER_KEY)));
        if (overrides.has("expected_coinbase_value_sats")) {
            arguments.add("--expected-coinbase-value-sats");
            arguments.add(overrides.get("expected_coinbase_value_sats").asText());
        }

        ToolHarness.Result result = ToolHarness.run(VERIFY, arguments, new byte[0]);

        assertThat(result.stderr()).isEqualTo(vector.get("stderr").asText());
        assertThat(result.exit()).isEqualTo(vector.get("exit").asInt());
        if (result.exit() == 0) {
            assertThat(Vectors.parse(result.stdout().getBytes(StandardCharsets.UTF_8))
                            .get("audit_bundle_sha256_hex")
                            .asText())
                    .isEqualTo(vector.get("audit_bundle_sha256_hex").asText());
            assertThat(Sha256.hex(result.stdout().getBytes(StandardCharsets.UTF_8)))
                    .isEqualTo(vector.get("stdout_sha256").asText());
        }
    }

    @ParameterizedTest
    @MethodSource("cliCases")
    void aCommandLineAnswersLikeTheReference(JsonNode vector) {
        String tool = vector.get("tool").asText();
        List<String> arguments =
                Vectors.elements(vector.get("arguments")).map(JsonNode::asText).toList();

        ToolHarness.Result result =
                ToolHarness.run(tool, arguments, vector.get("stdin").asText().getBytes(StandardCharsets.UTF_8));

        assertThat(result.exit()).isEqualTo(vector.get("exit").asInt());
        expect(result.stdout(), vector.get("stdout").asText());
        expect(result.stderr(), vector.get("stderr").asText());
    }

    private static void expect(String actual, String expected) {
        if (FREE_TEXT.matcher(expected).find()) {
            assertThat(actual).startsWith(expected.substring(0, expected.indexOf(':') + 1));
        } else {
            assertThat(actual).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("canonicalizeCases")
    void anyEquivalentDocumentHasTheCanonicalBytes(JsonNode vector) {
        byte[] input = Vectors.bytes("payout/" + vector.get("input").asText());
        String expected = text(Vectors.bytes("payout/" + vector.get("expected").asText()));

        ToolHarness.Result fromStdin = ToolHarness.run(CANONICALIZE, List.of(), input);
        ToolHarness.Result fromFile = ToolHarness.run(
                CANONICALIZE,
                List.of(Vectors.path("payout/" + vector.get("input").asText()).toString()),
                new byte[0]);

        assertThat(fromStdin.stderr()).isEmpty();
        assertThat(fromStdin.stdout()).isEqualTo(expected);
        assertThat(fromFile.stdout()).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("bodyCases")
    void aCompactBodyResolvesOrFailsByTheContract(JsonNode vector) {
        Path body = Vectors.path("payout/" + vector.get("body").asText());
        JsonNode expected = vector.get("expected");

        ToolHarness.Result result = ToolHarness.run(CANONICALIZE, List.of("--input", body.toString()), new byte[0]);

        assertThat(result.stderr())
                .isEqualTo(expected.get("stderr")
                        .asText()
                        .replace("{dir}", body.getParent().toString()));
        assertThat(result.exit()).isEqualTo(expected.get("exit").asInt());
        if (result.exit() == 0) {
            assertThat(result.stdout())
                    .isEqualTo(text(Vectors.bytes(
                            "payout/" + vector.get("body").asText().replace("body.json", "bundle.json"))));
            assertThat(verify(body, vector.get("tx").asText()).exit()).isZero();
        } else {
            assertThat(verify(body, vector.get("tx").asText()).stderr())
                    .isEqualTo(result.stderr().replace(CANONICALIZE, VERIFY));
        }
    }

    private static ToolHarness.Result verify(Path body, String tx) {
        return ToolHarness.run(
                VERIFY,
                List.of(body.toString(), "--coinbase-tx-hex", tx, "--ledger-writer-public-key-hex", Vectors.LEDGER_KEY),
                new byte[0]);
    }

    @ParameterizedTest
    @MethodSource("reorgCases")
    void aReorganisationIsReportedLikeTheReference(JsonNode vector) {
        ToolHarness.Result result = ToolHarness.run(REORG, List.of("--input", "-"), Vectors.bytes(vector.get("input")));

        assertThat(result.stderr()).isEqualTo(vector.get("stderr").asText());
        assertThat(result.stdout()).isEqualTo(vector.path("stdout").asText(""));
        assertThat(result.exit()).isEqualTo(vector.get("exit").asInt());
    }

    @ParameterizedTest
    @MethodSource("builderRequests")
    void aCoinbaseRequestIsAnsweredLikeTheReference(JsonNode vector) {
        ToolHarness.Result result = ToolHarness.run(
                POOL_BUILDER,
                List.of("--signing-key-seed-hex", Vectors.COINBASE_SEED),
                Vectors.bytes(vector.get("request")));

        assertThat(result.stderr()).isEqualTo(vector.get("stderr").asText());
        assertThat(result.stdout()).isEqualTo(vector.path("stdout").asText(""));
        assertThat(result.exit()).isEqualTo(vector.get("exit").asInt());
    }

    @Test
    void theServeTranscriptIsAnsweredLikeTheReference() {
        JsonNode transcript = Vectors.json("payout/serve/transcript.json");
        StringBuilder requests = new StringBuilder();
        Vectors.elements(transcript.get("steps"))
                .forEach(step -> requests.append(step.get("send").asText()).append("\n\n"));
        List<String> arguments = Vectors.elements(transcript.get("arguments"))
                .map(JsonNode::asText)
                .toList();

        ToolHarness.Result result =
                ToolHarness.run(BUILD, arguments, requests.toString().getBytes(StandardCharsets.UTF_8));

        assertThat(result.exit()).isEqualTo(transcript.get("exit").asInt());
        List<String> replies = result.stdout().lines().toList();
        assertThat(replies.get(0)).isEqualTo(transcript.get("handshake").asText());
        assertThat(replies).hasSize(transcript.get("steps").size() + 1);
        for (int i = 0; i < transcript.get("steps").size(); i++) {
            JsonNode expected = transcript.get("steps").get(i).get("receive");
            String reply = replies.get(i + 1);
            JsonNode actual = Vectors.parse(reply.getBytes(StandardCharsets.UTF_8));
            if (expected.get("ok").asBoolean()) {
                assertThat(actual.get("summary")).isEqualTo(expected.get("summary"));
                assertThat(actual.get("window_cache")).isEqualTo(expected.get("window_cache"));
                assertThat(reply).startsWith("{\"ok\":true,\"summary\":{\"found_block\"");
            } else if (expected.get("error").asText().startsWith("malformed serve request: ")) {
                assertThat(reply).startsWith("{\"error\":\"malformed serve request: ");
                assertThat(reply).endsWith(",\"needs_window\":false,\"ok\":false}");
            } else {
                assertThat(actual).isEqualTo(expected);
            }
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
