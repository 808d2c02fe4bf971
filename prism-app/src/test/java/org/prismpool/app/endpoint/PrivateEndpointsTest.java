package org.prismpool.app.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.prismpool.app.endpoint.SeededLedger.BLOCK;
import static org.prismpool.app.endpoint.SeededLedger.FANOUT;
import static org.prismpool.app.endpoint.SeededLedger.LEAF;
import static org.prismpool.app.endpoint.SeededLedger.T0;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.prismpool.app.http.BadRequestException;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.http.HttpEndpoint;
import org.prismpool.app.http.HttpQuery;
import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.sharewriter.block.AuditBundleRow;

class PrivateEndpointsTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String UNKNOWN = "ff".repeat(32);

    private final SeededLedger seeded =
            new SeededLedger(SeededLedger.bundle(new AuditBundleRow.External("body.json", 10), "f0".repeat(32)));
    private Optional<String> evidence = Optional.empty();
    private final AuditTrailSource trail = new AuditTrailSource() {
        @Override
        public Optional<String> evidence() {
            return evidence;
        }

        @Override
        public AuditBundle bundle(AuditBundleRow.AuditBody body) {
            throw new IllegalStateException("the body cannot be read");
        }
    };
    private final List<HttpEndpoint> endpoints = List.of(
            new BalanceEndpoint(seeded.reads),
            new BundleEndpoint(seeded.reads, trail),
            new FanoutEndpoint(seeded.reads),
            new WindowEndpoint(seeded.reads));

    private HttpAnswer get(String path, String... parameters) throws Exception {
        Map<String, String> query = new HashMap<>();
        for (int i = 0; i < parameters.length; i += 2) {
            query.put(parameters[i], parameters[i + 1]);
        }
        for (HttpEndpoint endpoint : endpoints) {
            Optional<HttpAnswer> answer = endpoint.answer(HttpQuery.of(List.of(path.split("/")), query));
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        throw new AssertionError("nobody knows " + path);
    }

    private static String text(HttpAnswer answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    private JsonNode ok(String path, String... parameters) throws Exception {
        HttpAnswer answer = get(path, parameters);
        assertThat(answer.status()).isEqualTo(200);
        String text = text(answer);
        assertThat(text).endsWith("}\n");
        JsonNode document = JSON.readTree(text);
        List<String> names = new ArrayList<>();
        document.fieldNames().forEachRemaining(names::add);
        assertThat(names).isSorted();
        return document;
    }

    private void refused(int status, String error, String path) throws Exception {
        HttpAnswer answer = get(path);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(text(answer)).isEqualTo(error + "\n");
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void owedBalancesArePositiveAndInTheContractsShape() throws Exception {
        String expected = "{\"balances\":[{\"balance_sats\":1000,\"order_key\":\"a\",\"p2mr_program_hex\":\""
                + "aa".repeat(32) + "\",\"recipient_id\":\"miner-a\"}],\"ledger_backend\":\"memory\","
                + "\"schema\":\"qbit.prism.owed-balances.v1\"}\n";

        assertThat(text(get("owed-balances"))).isEqualTo(expected);
        assertThat(text(get("owed"))).isEqualTo(expected);
    }

    @Test
    void theProofOfTheBalancesNamesItsChain() throws Exception {
        JsonNode report = ok("audit/carry-forward-integrity");

        assertThat(report.get("schema").asText()).isEqualTo("qbit.prism.carry-forward-integrity.v1");
        assertThat(report.get("audit_chain_version").asText())
                .isEqualTo("qbit.prism.carry-forward-active-delta-chain.v1");
        assertThat(report.get("checked_active_rows").asInt()).isEqualTo(2);
        assertThat(report.get("mismatch_count").asInt()).isZero();
        assertThat(report.get("current_drift_count").asInt()).isZero();
        assertThat(report.get("audit_row_count").asInt()).isEqualTo(2);
        assertThat(report.get("audit_head_sha256").asText()).matches("[0-9a-f]{64}");
        assertThat(ok("audit/ledger-integrity")).isEqualTo(report);
    }

    @Test
    void aRecipientSeesWhatItIsOwedAndWhatItGot() throws Exception {
        JsonNode owed = ok("miners/miner-a/status");
        assertThat(owed.get("schema").asText()).isEqualTo("qbit.prism.miner-status.v1");
        assertThat(owed.get("owed_balance_sats").asLong()).isEqualTo(1000);
        assertThat(owed.get("owed_balances")).hasSize(1);

        JsonNode paid = ok("payouts/miner-b/status").get("recent_payouts").get(0);
        assertThat(names(paid))
                .containsExactly(
                        "action",
                        "block_hash",
                        "block_height",
                        "carry_forward_balance_sats",
                        "coinbase_txid",
                        "created_at",
                        "maturity_state",
                        "onchain_amount_sats",
                        "order_key",
                        "p2mr_program_hex",
                        "payout_manifest_sha256",
                        "recipient_id");
        assertThat(paid.get("onchain_amount_sats").asLong()).isEqualTo(50000);
        assertThat(paid.get("created_at").asText()).isEqualTo("2023-11-14 22:13:20.000+00");
    }

    @Test
    void anUnknownRecipientIsOwedNothingAndABlankOneIsRefused() throws Exception {
        JsonNode unknown = ok("miners/nobody/status");
        assertThat(unknown.get("owed_balance_sats").asLong()).isZero();
        assertThat(unknown.get("owed_balances")).isEmpty();
        assertThat(unknown.get("recent_payouts")).isEmpty();
        assertThatThrownBy(() -> get("miners/ /status"))
                .isInstanceOf(BadRequestException.class)
                .hasMessage("recipient_id is required");
    }

    @Test
    void aBlocksPayoutsCarryTheBlock() throws Exception {
        JsonNode document = ok("audit/blocks/" + BLOCK.toUpperCase(Locale.ROOT) + "/payouts");

        assertThat(document.get("schema").asText()).isEqualTo("qbit.prism.audit-block-payouts.v1");
        assertThat(document.get("rows")).hasSize(2);
        assertThat(document.get("rows").get(1).toString())
                .isEqualTo("{\"action\":\"onchain\",\"block_hash\":\"" + BLOCK
                        + "\",\"block_height\":7,\"carry_forward_balance_sats\":0,\"chain_state\":\"confirmed\","
                        + "\"coinbase_txid\":\"" + "c0".repeat(32)
                        + "\",\"maturity_state\":\"immature\",\"miner_id\":\"miner-b\",\"onchain_amount_sats\":50000,"
                        + "\"order_key\":\"b\",\"p2mr_program_hex\":\"" + "bb".repeat(32)
                        + "\",\"payout_manifest_sha256\":\"" + "e0".repeat(32) + "\"}");
        assertThat(ok("audit/block/" + BLOCK)).isEqualTo(document);
    }

    @Test
    void aHashThatIsNoneIsTheSendersFaultAndAnUnknownOneIsNotFound() throws Exception {
        assertThatThrownBy(() -> get("audit/blocks/not-a-hash/payouts"))
                .isInstanceOf(BadRequestException.class)
                .hasMessage("block hash must be 64 hex characters");
        assertThatThrownBy(() -> get("audit/fanouts/xy/status")).hasMessage("fanout txid must be 64 hex characters");
        assertThatThrownBy(() -> get("audit/commitments/xy/bundle"))
                .hasMessage("audit commitment leaf must be 64 hex characters");
        refused(
                404,
                "{\"block_hash\":\"" + UNKNOWN + "\",\"error\":\"unknown PRISM block\"}",
                "audit/blocks/" + UNKNOWN + "/payouts");
        refused(
                404,
                "{\"block_hash\":\"" + UNKNOWN + "\",\"error\":\"unknown PRISM block\"}",
                "audit/blocks/" + UNKNOWN + "/bundle");
        refused(
                404,
                "{\"block_hash\":\"" + UNKNOWN + "\",\"error\":\"unknown CTV fanout block\"}",
                "audit/blocks/" + UNKNOWN + "/ctv-fanouts");
        refused(
                404,
                "{\"error\":\"unknown CTV fanout\",\"fanout_txid\":\"" + UNKNOWN + "\"}",
                "audit/fanouts/" + UNKNOWN + "/status");
        refused(
                404,
                "{\"audit_commitment_leaf_hex\":\"" + UNKNOWN + "\",\"error\":\"unknown PRISM audit commitment\"}",
                "audit/commitments/" + UNKNOWN + "/bundle");
    }

    @Test
    void theWindowIsNewestFirstAndCountsTheLastShareInPart() throws Exception {
        // 8 x 50 = 400: all of share 3 (300), then 100 of the 200 of share 2
        JsonNode document =
                ok("audit/share-window", "anchor_job_issued_at_ms", "" + (T0 + 100), "network_difficulty", "50");

        assertThat(document.get("schema").asText()).isEqualTo("qbit.prism.audit-share-window.v1");
        assertThat(document.get("rows")).hasSize(2);
        JsonNode last = document.get("rows").get(1);
        assertThat(last.get("share_id").asText()).isEqualTo("share-2");
        assertThat(last.get("window_multiplier").asInt()).isEqualTo(8);
        assertThat(last.get("requested_window_weight").asInt()).isEqualTo(400);
        assertThat(last.get("share_difficulty").asInt()).isEqualTo(200);
        assertThat(last.get("counted_difficulty").asInt()).isEqualTo(100);
        assertThat(last.get("credit_policy").asText()).isEqualTo("stale-grace");
        assertThat(document.get("rows").get(0).get("credit_policy").isNull()).isTrue();
        assertThat(document.get("rows").get(0).get("share_seq").asInt()).isEqualTo(3);
    }

    @Test
    void theWindowNeedsBothParametersAsIntegersAndHasABound() {
        assertThatThrownBy(() -> get("audit/share-window"))
                .hasMessage("anchor_job_issued_at_ms and network_difficulty are required");
        assertThatThrownBy(() -> get("audit/share-window", "anchor", "1.5", "network_difficulty", "50"))
                .isInstanceOf(BadRequestException.class);
        assertThatThrownBy(() -> get("audit/share-window", "anchor", "9".repeat(30), "network_difficulty", "50"))
                .isInstanceOf(BadRequestException.class);
        HttpQuery wide = HttpQuery.of(
                List.of("audit", "share-window"), Map.of("anchor", "" + (T0 + 100), "network_difficulty", "5000"));
        assertThatThrownBy(() -> new WindowEndpoint(seeded.reads, 2).answer(wide))
                .isInstanceOf(BadRequestException.class)
                .hasMessage("share window is too large");
    }

    @Test
    void settlementTransactionsAreShownByBlockByTransactionAndWhileTheyWait() throws Exception {
        JsonNode rows = ok("audit/blocks/" + BLOCK + "/ctv-fanouts").get("rows");
        assertThat(rows).hasSize(2);
        assertThat(rows.get(0).get("fanout_tx_template_hex").asText()).isEqualTo("aa");

        JsonNode set = ok("audit/blocks/" + BLOCK + "/ctv-fanout-manifest-set");
        assertThat(set.get("schema").asText()).isEqualTo("qbit.prism.ctv-fanout-recovery.v1");
        assertThat(set.get("artifacts")).hasSize(2);
        assertThat(set.get("fanout_output_sum_sats").asInt()).isEqualTo(1800);

        JsonNode status = ok("audit/fanouts/" + FANOUT + "/status");
        assertThat(status.get("schema").asText()).isEqualTo("qbit.prism.ctv-fanout-status.v1");
        assertThat(status.get("manifest").get("chunk").asInt()).isZero();
        assertThat(status.get("broadcast_attempts")).isEmpty();

        JsonNode pending = ok("audit/fanouts/pending");
        assertThat(pending.get("count").asInt()).isEqualTo(2);
        assertThat(pending.get("rows").get(0).get("fanout_txid").asText()).isEqualTo(FANOUT);
        assertThat(pending.get("rows").get(0).has("manifest_json")).isFalse();
    }

    @Test
    void theNumberOfWaitingTransactionsIsClampedAndMustBeANumber() throws Exception {
        assertThat(ok("audit/fanouts/pending", "limit", "0").get("count").asInt())
                .isEqualTo(1);
        assertThat(ok("audit/fanouts/pending", "limit", "9".repeat(40))
                        .get("count")
                        .asInt())
                .isEqualTo(2);
        assertThatThrownBy(() -> get("audit/fanouts/pending", "limit", "many"))
                .isInstanceOf(BadRequestException.class)
                .hasMessage("limit must be an integer");
    }

    @Test
    void theNewestEvidenceIsServedAsItWasPublished() throws Exception {
        refused(404, "{\"error\":\"no PRISM evidence has been produced\"}", "audit/latest");
        evidence = Optional.of("{\"block_hash\":\"" + BLOCK + "\"}\n");

        assertThat(text(get("audit/latest"))).isEqualTo("{\"block_hash\":\"" + BLOCK + "\"}\n");
    }

    @Test
    void aBodyThatCannotBeReadIsAFaultOfOurs() {
        assertThatThrownBy(() -> get("audit/blocks/" + BLOCK + "/bundle")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> get("audit/commitments/" + LEAF + "/bundle"))
                .isInstanceOf(IllegalStateException.class);
    }
}
