package org.prismpool.payout.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.prismpool.payout.Vectors;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.json.Sha256;
import org.prismpool.payout.signing.SigningSeed;

class BuildVectorTest {

    private final AuditBundleBuilder builder =
            new AuditBundleBuilder(SigningSeed.ofHex(Vectors.COINBASE_SEED), SigningSeed.ofHex(Vectors.LEDGER_SEED));

    static Stream<String> cases() {
        return Vectors.folders("payout/build").stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theBundleHasTheReferenceBytes(String name) {
        AuditBundle bundle = builder.build(input(name));

        assertThat(text(bundle.canonicalBytes()))
                .isEqualTo(text(Vectors.bytes("payout/build/" + name + "/bundle.json")));
        assertThat(bundle.sha256Hex())
                .isEqualTo(Vectors.json("payout/build/" + name + "/expected.json")
                        .get("bundle_sha256")
                        .asText());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void thePrettyBundleHasTheReferenceHash(String name) {
        AuditBundle bundle = builder.build(input(name));
        MessageDigest digest = Sha256.newDigest();
        CanonicalWriter out = CanonicalWriter.pretty(digest::update);

        bundle.write(out);
        out.finishLine();

        assertThat(Hex.encode(digest.digest()))
                .isEqualTo(Vectors.json("payout/build/" + name + "/expected.json")
                        .get("pretty_bundle_sha256")
                        .asText());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theSummaryHasTheReferenceBytesFromFullAndCompactShares(String name) {
        String expected = text(Vectors.bytes("payout/build/" + name + "/summary.json"));

        assertThat(text(builder.summarize(input(name)).canonicalBytes())).isEqualTo(expected);
        assertThat(text(builder.summarize(compactInput(name)).canonicalBytes())).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theBundleVerifiesWithTheReferenceReport(String name) {
        AuditBundle bundle = AuditBundle.read(ExactReader.of(Vectors.bytes("payout/build/" + name + "/bundle.json")));

        VerificationReport report = new AuditVerifier(Vectors.LEDGER_KEY).verify(bundle);

        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CanonicalWriter out = CanonicalWriter.pretty(bytes::write);
        report.write(out);
        out.finishLine();
        assertThat(text(bytes.toByteArray())).isEqualTo(text(Vectors.bytes("payout/build/" + name + "/report.json")));
        AuditVerifier.compareWithChain(report, report.coinbaseTxHex(), OptionalLong.of(report.coinbaseValueSats()));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aBundleReadBackHasItsOwnBytes(String name) {
        byte[] bytes = Vectors.bytes("payout/build/" + name + "/bundle.json");

        assertThat(text(AuditBundle.read(ExactReader.of(bytes)).canonicalBytes()))
                .isEqualTo(text(bytes));
    }

    private static AuditBuildInput input(String name) {
        return AuditBuildInput.read(ExactReader.of(Vectors.bytes("payout/build/" + name + "/input.json")), false);
    }

    private static AuditBuildInput compactInput(String name) {
        ObjectNode input = (ObjectNode) Vectors.json("payout/build/" + name + "/input.json");
        Map<List<String>, Integer> identities = new LinkedHashMap<>();
        ArrayNode compact = input.arrayNode();
        for (JsonNode share : input.withArray("shares")) {
            List<String> identity = List.of(
                    share.get("miner_id").asText(),
                    share.get("order_key").asText(),
                    share.get("p2mr_program_hex").asText());
            int index = identities.computeIfAbsent(identity, key -> identities.size());
            ArrayNode row = compact.addArray();
            row.add(share.get("share_seq"))
                    .add(share.get("share_id"))
                    .add(index)
                    .add(share.get("share_difficulty"));
            row.add(share.get("job_issued_at_ms")).add(share.get("accepted_at_ms"));
            row.add(share.path("credit_policy").isMissingNode() ? row.nullNode() : share.get("credit_policy"));
        }
        input.remove("shares");
        input.set("compact_shares", compact);
        ArrayNode table = input.putArray("compact_share_identities");
        identities.keySet().forEach(identity -> {
            ArrayNode row = table.addArray();
            identity.forEach(row::add);
        });
        return AuditBuildInput.read(ExactReader.of(Vectors.bytes(input)), true);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
