package org.prismpool.payout.ctv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.prismpool.payout.Vectors;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Sha256;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.templates.chain.Hash256;

class CtvVectorTest {

    private static final HexFormat HEX = HexFormat.of();

    static Stream<Named<JsonNode>> hashes() {
        return named("ctv-hash", "vectors");
    }

    static Stream<Named<JsonNode>> trees() {
        return named("p2mr", "vectors");
    }

    static Stream<Named<JsonNode>> partitions() {
        return named("partition", "vectors");
    }

    static Stream<JsonNode> estimates() {
        return Vectors.elements(Vectors.json("ctv/fees.json").get("estimates"));
    }

    static Stream<Named<JsonNode>> allocations() {
        return named("fees", "allocations");
    }

    static Stream<Named<JsonNode>> precommitments() {
        return named("precommitment", "vectors");
    }

    private static Stream<Named<JsonNode>> named(String file, String member) {
        return Vectors.elements(Vectors.json("ctv/" + file + ".json").get(member))
                .map(node -> Named.of(node.get("name").asText(), node));
    }

    @ParameterizedTest
    @MethodSource("hashes")
    void theTemplateHashIsTheNodes(JsonNode vector) {
        String transaction = vector.get("tx_hex").asText();
        long index = vector.get("input_index").asLong();

        assertThat(HEX.formatHex(CtvHash.preimage(transaction, index)))
                .isEqualTo(vector.get("preimage_hex").asText());
        assertThat(HEX.formatHex(CtvHash.of(transaction, index)))
                .isEqualTo(vector.get("ctv_hash_hex").asText());
        assertThat(StrictTransaction.parseHex("tx", transaction).txid().displayHex())
                .isEqualTo(vector.get("txid").asText());
    }

    @ParameterizedTest
    @MethodSource("trees")
    void theScriptTreeIsTheNodes(JsonNode vector) {
        byte[] script = HEX.parseHex(vector.get("leaf_script_hex").asText());
        List<byte[]> path = Vectors.elements(vector.get("merkle_path"))
                .map(node -> HEX.parseHex(node.asText()))
                .toList();

        assertThat(HEX.formatHex(ScriptTree.leafHash(script)))
                .isEqualTo(vector.get("leaf_hash_hex").asText());
        byte[] program = ScriptTree.program(script, path);
        assertThat(HEX.formatHex(program)).isEqualTo(vector.get("program_hex").asText());
        assertThat(HEX.formatHex(ScriptTree.outputScript(program)))
                .isEqualTo(vector.get("script_pubkey_hex").asText());
        assertThat(HEX.formatHex(ScriptTree.controlBlock(path)))
                .isEqualTo(vector.get("control_block_hex").asText());
    }

    @ParameterizedTest
    @MethodSource("partitions")
    void aPartitionIsDecidedLikeTheReference(JsonNode vector) {
        JsonNode pin = vector.path("pinned_direct");
        Optional<PayoutIdentity> pinned =
                pin.isObject() ? Optional.of(PayoutIdentity.read(reader(pin))) : Optional.empty();
        SettlementLimits limits = SettlementLimits.read(reader(vector.get("config")));
        long floor = vector.get("direct_floor_sats").asLong();
        List<SettlementRecipient> recipients = recipients(vector.get("recipients"));

        if (vector.has("expected_error")) {
            assertThatThrownBy(() -> FanoutPartition.decide(recipients, floor, limits, pinned))
                    .hasMessage(vector.get("expected_error").asText());
        } else {
            SettlementDecision decision = FanoutPartition.decide(recipients, floor, limits, pinned);
            assertThat(tree(decision::write)).isEqualTo(vector.get("expected"));
        }
    }

    @ParameterizedTest
    @MethodSource("estimates")
    void aFeeIsEstimatedLikeTheReference(JsonNode vector) {
        long count = vector.get("recipient_count").asLong();
        FanoutFeePolicy policy = new FanoutFeePolicy(
                vector.get("market_fee_rate_sats_per_1000_weight").asLong(),
                vector.get("premium_bps").asLong());

        if (vector.has("expected_error")) {
            assertThatThrownBy(() -> FanoutFee.estimate(count, policy))
                    .hasMessage(vector.get("expected_error").asText());
        } else {
            assertThat(FanoutFee.weight(count)).isEqualTo(vector.get("weight").asLong());
            assertThat(FanoutFee.estimate(count, policy))
                    .isEqualTo(vector.get("fee_sats").asLong());
        }
    }

    @ParameterizedTest
    @MethodSource("allocations")
    void aFeeIsSharedLikeTheReference(JsonNode vector) {
        List<SettlementRecipient> recipients = recipients(vector.get("recipients"));
        long fee = vector.get("fee_sats").asLong();
        long minimum = vector.get("min_output_sats").asLong();

        if (vector.has("expected_error")) {
            assertThatThrownBy(() -> FanoutFee.allocate(recipients, fee, minimum))
                    .hasMessage(vector.get("expected_error").asText());
            return;
        }
        FanoutFee.Allocation allocation = FanoutFee.allocate(recipients, fee, minimum);
        JsonNode expected = vector.get("expected");
        assertThat(allocation.totalGrossSats())
                .isEqualTo(expected.get("total_gross_sats").asLong());
        assertThat(allocation.requestedFeeSats())
                .isEqualTo(expected.get("requested_fee_sats").asLong());
        assertThat(allocation.appliedFeeSats())
                .isEqualTo(expected.get("applied_fee_sats").asLong());
        assertThat(allocation.payable()).isEqualTo(shares(expected.get("payable_recipients")));
        assertThat(allocation.carriedForward()).isEqualTo(shares(expected.get("carry_forward_recipients")));
    }

    @ParameterizedTest
    @MethodSource("precommitments")
    void aPrecommitmentHasTheReferenceBytes(JsonNode vector) {
        JsonNode input = vector.get("input");
        FanoutContext context = new FanoutContext(
                input.get("block_height").asLong(),
                input.get("chunk_count").asLong(),
                input.get("coinbase_value_sats").asLong(),
                SettlementMode.read(reader(input.get("settlement_mode"))),
                input.get("reward_manifest_sha256_hex").asText(),
                input.get("payout_policy_manifest_sha256_hex").asText());
        List<FanoutFee.Share> payouts = Vectors.elements(input.get("payouts"))
                .map(each -> new FanoutFee.Share(
                        identity(each),
                        each.path("gross_amount_sats")
                                .asLong(each.get("amount_sats").asLong()),
                        each.path("fee_sats").asLong(0),
                        each.get("amount_sats").asLong()))
                .toList();
        Hash256 prevout =
                Hash256.ofDisplayHex(vector.at("/template_prevout/txid").asText());

        FanoutPrecommitment built =
                FanoutConstruction.build(context, input.get("chunk_index").asLong(), payouts, prevout);

        assertThat(new String(CanonicalWriter.bytesOf(built::write), StandardCharsets.UTF_8))
                .isEqualTo(vector.get("precommitment_canonical_json").asText());
        assertThat(built.sha256Hex())
                .isEqualTo(vector.get("precommitment_sha256_hex").asText());
        assertThat(built.commitmentLeafHex())
                .isEqualTo(vector.get("commitment_witness_leaf_hex").asText());
        assertThat(HEX.formatHex(CtvHash.preimage(built.fanoutTxTemplateHex(), 0)))
                .isEqualTo(vector.get("ctv_preimage_hex").asText());
        assertThat(built.covenantIdentity())
                .isEqualTo(new PayoutIdentity(
                        vector.get("covenant_recipient_id").asText(),
                        vector.get("covenant_order_key").asText(),
                        vector.get("covenant_p2mr_program_hex").asText()));
        assertThat(built.covenantOutputValueSats())
                .isEqualTo(vector.get("covenant_output_value_sats").asLong());
    }

    @Test
    void theGoldenSetVerifiesAndHasBothHashes() {
        JsonNode vector = Vectors.json("ctv/manifest-set-golden.json");
        FanoutManifestSet set = FanoutManifestSet.read(reader(vector.get("set")));

        assertThat(catchThrowable(set::verify)).isNull();
        assertThat(set.declaredOrderSha256Hex())
                .isEqualTo(vector.get("struct_order_json_sha256_hex").asText());
        assertThat(Sha256.hex(set.persistedJson().getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo(vector.get("sorted_key_json_sha256_hex").asText());
    }

    @Test
    void aHugeDeclaredCountIsTruncatedAndAllocatesNothing() {
        assertThatThrownBy(() -> CtvHash.of("02000000ffffffffffffffff7f", 0))
                .hasMessage("invalid CTV fanout manifest: transaction transaction is truncated");
    }

    @Test
    void accountsThatDifferOnlyInWhereTheirTextsEndStayApart() {
        List<SettlementRecipient> recipients = List.of(
                new SettlementRecipient(new PayoutIdentity("c", "a\0b", "11".repeat(32)), 5),
                new SettlementRecipient(new PayoutIdentity("b\0c", "a", "11".repeat(32)), 6));

        SettlementDecision decision = FanoutPartition.decide(recipients, 1, SettlementLimits.DEFAULT, Optional.empty());

        assertThat(decision.directRecipientCount()).isEqualTo(2);
    }

    @Test
    void aHeightThatWouldBeReadAsADateIsRefused() {
        FanoutContext context =
                new FanoutContext(500_000_000, 1, 100, SettlementMode.CTV_FANOUT, "aa".repeat(32), "bb".repeat(32));
        List<FanoutFee.Share> payouts =
                List.of(new FanoutFee.Share(new PayoutIdentity("a", "1", "11".repeat(32)), 100, 0, 100));

        assertThatThrownBy(() -> FanoutPrecommitment.build(context, 0, payouts))
                .hasMessage("invalid CTV fanout manifest: block height must fit fanout lock_time");
    }

    private static List<SettlementRecipient> recipients(JsonNode array) {
        List<SettlementRecipient> recipients = new ArrayList<>();
        array.forEach(node -> recipients.add(SettlementRecipient.read(reader(node))));
        return recipients;
    }

    private static List<FanoutFee.Share> shares(JsonNode array) {
        return Vectors.elements(array)
                .map(each -> new FanoutFee.Share(
                        identity(each),
                        each.get("gross_amount_sats").asLong(),
                        each.get("fee_sats").asLong(),
                        each.get("net_amount_sats").asLong()))
                .toList();
    }

    private static PayoutIdentity identity(JsonNode node) {
        return new PayoutIdentity(
                node.get("recipient_id").asText(),
                node.get("order_key").asText(),
                node.get("p2mr_program_hex").asText());
    }

    private static ExactReader reader(JsonNode node) {
        return ExactReader.of(Vectors.bytes(node));
    }

    private static JsonNode tree(Consumer<CanonicalWriter> document) {
        return Vectors.parse(CanonicalWriter.bytesOf(document));
    }
}
