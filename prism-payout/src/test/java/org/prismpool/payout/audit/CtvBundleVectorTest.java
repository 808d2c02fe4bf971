package org.prismpool.payout.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.prismpool.payout.Vectors;
import org.prismpool.payout.ctv.CtvHash;
import org.prismpool.payout.ctv.FanoutManifest;
import org.prismpool.payout.ctv.FanoutManifestSet;
import org.prismpool.payout.ctv.FanoutPrecommitment;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.JsonTree;
import org.prismpool.payout.json.Sha256;
import org.prismpool.payout.reward.PayoutAccount;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.payout.tool.JsonPatches;

class CtvBundleVectorTest {

    private static final AuditBundleBuilder BUILDER =
            new AuditBundleBuilder(SigningSeed.ofHex(Vectors.COINBASE_SEED), SigningSeed.ofHex(Vectors.LEDGER_SEED));

    static Stream<Named<JsonNode>> endToEnd() {
        return Vectors.elements(Vectors.json("ctv/end-to-end.json").get("vectors"))
                .map(node -> Named.of(node.get("name").asText(), node));
    }

    static Stream<Arguments> negatives() {
        Map<String, JsonNode> bundles = new HashMap<>();
        endToEnd()
                .forEach(vector -> bundles.put(
                        "end-to-end.json#" + vector.getName(),
                        vector.getPayload().get("builder_input")));
        return Vectors.elements(Vectors.json("ctv/verify-negative.json").get("groups"))
                .flatMap(group -> Vectors.elements(group.get("cases"))
                        .map(each -> Arguments.of(
                                Named.of(each.get("name").asText(), each),
                                Named.of(
                                        group.get("base").asText(),
                                        bundles.get(group.get("base").asText())))));
    }

    @ParameterizedTest
    @MethodSource("endToEnd")
    void aSettlementIsBuiltLikeTheReference(JsonNode vector) {
        AuditBuildInput input = input(vector.get("builder_input"));
        if (vector.has("expected_error")) {
            assertThatThrownBy(() -> BUILDER.build(input))
                    .hasMessage(vector.get("expected_error").asText());
            return;
        }
        AuditBundle bundle = BUILDER.build(input);
        JsonNode document = Vectors.parse(bundle.canonicalBytes());

        assertThat(document.get("settlement_mode_decision")).isEqualTo(vector.get("settlement_mode_decision"));
        assertThat(document.at("/payout_policy_manifest/onchain_entitlements"))
                .isEqualTo(vector.get("onchain_entitlements"));
        assertThat(document.at("/payout_policy_manifest/min_output_sats"))
                .isEqualTo(vector.get("policy_min_output_sats"));
        assertThat(document.at("/signed_coinbase_manifest/manifest/outputs")).isEqualTo(vector.get("coinbase_outputs"));
        assertThat(bundle.signedCoinbaseManifest().manifest().coinbaseTxHex())
                .isEqualTo(vector.get("coinbase_tx_hex").asText());
        assertThat(document.get("audit_commitment_leaves_hex")).isEqualTo(vector.get("audit_commitment_leaves_hex"));
        assertThat(bundle.auditCommitmentRootHex())
                .contains(vector.get("audit_commitment_root_hex").asText());
        for (PayoutAccount account : bundle.payoutPolicyManifest().accounts()) {
            assertThat(account.settlementFeeSats())
                    .isEqualTo(vector.get("settlement_fees")
                            .path(account.identity().recipientId())
                            .asLong(0));
        }
        assertThat(catchThrowable(() -> new AuditVerifier(Vectors.LEDGER_KEY).verify(bundle)))
                .isNull();
        bundle.ctvFanoutManifestSet()
                .ifPresentOrElse(
                        set -> expectSet(set, vector),
                        () -> assertThat(vector.get("ctv_fanout_manifest_set").isNull())
                                .isTrue());
    }

    private static void expectSet(FanoutManifestSet set, JsonNode vector) {
        assertThat(Vectors.parse(set.canonicalBytes())).isEqualTo(vector.get("ctv_fanout_manifest_set"));
        assertThat(set.declaredOrderSha256Hex())
                .isEqualTo(vector.get("manifest_set_struct_order_sha256_hex").asText());
        assertThat(Sha256.hex(set.persistedJson().getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo(vector.get("manifest_set_sha256_persisted").asText());
        for (int i = 0; i < set.manifests().size(); i++) {
            FanoutManifest manifest = set.manifests().get(i);
            assertThat(JsonTree.sortedAsciiSha256(JsonTree.parse(manifest.canonicalBytes())))
                    .isEqualTo(vector.get("manifest_sha256_persisted").get(i).asText());
            assertThat(new String(CanonicalWriter.bytesOf(manifest.precommitment()::write), StandardCharsets.UTF_8))
                    .isEqualTo(vector.get("precommitment_canonical_json").get(i).asText());
            assertThat(HexFormat.of()
                            .formatHex(CtvHash.preimage(manifest.precommitment().fanoutTxTemplateHex(), 0)))
                    .isEqualTo(vector.get("ctv_preimage_hex").get(i).asText());
        }
    }

    @ParameterizedTest
    @MethodSource("negatives")
    void aChangedSetFailsWithTheReferenceText(JsonNode vector, JsonNode builderInput) {
        AuditBundle bundle = BUILDER.build(input(builderInput));
        JsonNode set = Vectors.parse(bundle.ctvFanoutManifestSet().orElseThrow().canonicalBytes());
        JsonPatches.apply(set, vector.get("ops"));
        for (JsonNode index : vector.get("recommit_manifests")) {
            ObjectNode manifest = (ObjectNode) ((ArrayNode) set.get("manifests")).get(index.asInt());
            FanoutPrecommitment changed =
                    FanoutPrecommitment.read(ExactReader.of(Vectors.bytes(manifest.get("precommitment"))));
            manifest.put("precommitment_sha256_hex", changed.sha256Hex());
            manifest.put("commitment_witness_leaf_hex", changed.commitmentLeafHex());
        }
        ObjectNode document = (ObjectNode) Vectors.parse(bundle.canonicalBytes());
        document.set("ctv_fanout_manifest_set", set);
        AuditBundle changed = AuditBundle.read(ExactReader.of(Vectors.bytes(document)));

        Throwable failure = catchThrowable(() -> new AuditVerifier(Vectors.LEDGER_KEY).verify(changed));

        assertThat(failure == null ? "OK" : failure.getMessage())
                .isEqualTo(vector.get("expected_error").asText());
    }

    private static AuditBuildInput input(JsonNode builderInput) {
        return AuditBuildInput.read(ExactReader.of(Vectors.bytes(builderInput)), false);
    }
}
