package org.prismpool.app.publicapi.model;

import static org.prismpool.app.publicapi.model.Shape.BITS8;
import static org.prismpool.app.publicapi.model.Shape.BOOL;
import static org.prismpool.app.publicapi.model.Shape.BPS;
import static org.prismpool.app.publicapi.model.Shape.DEC;
import static org.prismpool.app.publicapi.model.Shape.HASH;
import static org.prismpool.app.publicapi.model.Shape.HEX;
import static org.prismpool.app.publicapi.model.Shape.INT;
import static org.prismpool.app.publicapi.model.Shape.NULL;
import static org.prismpool.app.publicapi.model.Shape.PORT;
import static org.prismpool.app.publicapi.model.Shape.POSITIVE;
import static org.prismpool.app.publicapi.model.Shape.TEXT;
import static org.prismpool.app.publicapi.model.Shape.TS;
import static org.prismpool.app.publicapi.model.Shape.atMost;
import static org.prismpool.app.publicapi.model.Shape.list;
import static org.prismpool.app.publicapi.model.Shape.number;
import static org.prismpool.app.publicapi.model.Shape.object;
import static org.prismpool.app.publicapi.model.Shape.orNull;
import static org.prismpool.app.publicapi.model.Shape.word;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** The closed shapes of all public bodies, from spec 08 §7.7, and the words that none may contain (§7.4). */
public final class PublicShapes {

    private static final Shape PAGINATION =
            object("page", POSITIVE, "limit", POSITIVE, "total_count", INT, "total_pages", INT);
    private static final Shape WORKER = object(
            "worker_name", TEXT,
            "status", word("active", "inactive"),
            "last_share_at", orNull(TS),
            "hashrate_ths_60s", DEC,
            "hashrate_ths_3h", DEC);
    private static final Shape PAYOUT = object(
            "block_height",
            INT,
            "block_hash",
            HASH,
            "created_at",
            TS,
            "transaction_id",
            orNull(HASH),
            "transaction_kind",
            word("coinbase", "ctv_fanout", "carry_forward"),
            "onchain_amount_bits",
            INT,
            "carry_forward_balance_bits",
            INT,
            "action",
            word("onchain", "accrued"),
            "maturity_state",
            word("immature", "mature", "reversed"),
            "explorer_url",
            orNull(TEXT));
    private static final Shape EARNING = object(
            "block_height", INT,
            "block_hash", HASH,
            "found_at", TS,
            "reward_share_percent", DEC,
            "gross_earning_bits", INT,
            "settlement_fee_bits", INT,
            "net_earning_bits", INT,
            "maturity_state", word("immature", "mature", "reversed"),
            "settlement_artifacts_url", orNull(TEXT),
            "explorer_url", orNull(TEXT));
    private static final Shape FANOUT = object(
            "fanout_txid", HASH,
            "block_hash", HASH,
            "block_height", INT,
            "status",
                    word("awaiting_maturity", "broadcastable", "broadcast_submitted", "confirmed", "reorged", "failed"),
            "broadcastable_at_height", orNull(INT),
            "manifest_set_sha256", HASH,
            "manifest_sha256", HASH,
            "manifest_url", orNull(TEXT),
            "audit_bundle_sha256", orNull(HASH),
            "parent_coinbase_txid", HASH,
            "parent_coinbase_vout", INT,
            "anchor_vout", orNull(INT),
            "covenant_output_value_bits", INT,
            "fanout_output_sum_bits", INT,
            "fanout_fee_bits", INT,
            "fanout_tx_hex", HEX,
            "fanout_tx_sha256", HASH,
            "cpfp_anchor_spendable", BOOL,
            "last_broadcast_attempt_at", orNull(TS),
            "last_broadcast_error", orNull(TEXT),
            "explorer_url", orNull(TEXT));
    private static final Shape LATEST_BLOCK = object(
            "height", INT,
            "hash", HASH,
            "found_at", TS,
            "age_seconds", INT,
            "solver_recipient_id", TEXT,
            "solver_worker_name", orNull(TEXT));

    private static final Map<String, Shape> BY_SCHEMA = Map.ofEntries(
            document(
                    "pool-summary.v1",
                    "network",
                    object(
                            "name", TEXT,
                            "height", INT,
                            "tip_hash", HASH,
                            "bits", BITS8,
                            "network_difficulty", DEC,
                            "initial_block_download", BOOL,
                            "peers", INT),
                    "pool",
                    object(
                            "name", TEXT,
                            "hashrate_ths", object("h1", DEC, "h3", DEC, "h24", DEC),
                            "participants_3h", INT,
                            "blocks_found_total", INT,
                            "prism_blocks_total", INT,
                            "total_mined_bits", INT,
                            "expected_time_to_block_seconds", orNull(INT),
                            "latest_block", orNull(LATEST_BLOCK),
                            "reward_window",
                                    object(
                                            "window_multiplier", number(8),
                                            "requested_window_weight", DEC,
                                            "oldest_share_accepted_at", orNull(TS),
                                            "newest_share_accepted_at", orNull(TS),
                                            "included_share_count", INT))),
            document(
                    "hashrate-series.v1",
                    "subject",
                    object("type", word("pool", "miner"), "id", orNull(TEXT)),
                    "range",
                    word("1w", "1m", "6m", "all"),
                    "bucket",
                    word("5m", "1h", "1d"),
                    "unit",
                    word("ths"),
                    "points",
                    list(object(
                            "timestamp", TS,
                            "hashrate_ths", DEC,
                            "accepted_share_count", INT,
                            "accepted_share_difficulty", DEC))),
            document(
                    "leaderboard.v1",
                    "window",
                    object("id", word("3h"), "started_at", TS, "ended_at", TS),
                    "totals",
                    object("pool_hashrate_ths", DEC, "pool_accepted_share_difficulty", DEC, "participant_count", INT),
                    "pagination",
                    PAGINATION,
                    "rows",
                    list(object(
                            "rank",
                            POSITIVE,
                            "recipient_id",
                            TEXT,
                            "display_name",
                            orNull(TEXT),
                            "hashrate_ths_3h",
                            DEC,
                            "share_percent",
                            orNull(DEC),
                            "hash_percent",
                            orNull(DEC),
                            "blocks_found",
                            INT,
                            "last_share_at",
                            orNull(TS)))),
            document(
                    "leaderboard.v2",
                    "window",
                    object(
                            "id", word("reward"),
                            "started_at", orNull(TS),
                            "ended_at", TS,
                            "observed_span_seconds", orNull(INT),
                            "network_difficulty", DEC,
                            "window_multiplier", number(8),
                            "requested_window_weight", DEC,
                            "counted_window_weight", DEC,
                            "included_share_count", INT,
                            "is_complete", BOOL),
                    "totals",
                    object(
                            "pool_hashrate_ths",
                            orNull(DEC),
                            "pool_counted_share_difficulty",
                            DEC,
                            "participant_count",
                            INT,
                            "expected_time_to_block_seconds",
                            orNull(INT)),
                    "pagination",
                    PAGINATION,
                    "rows",
                    list(object(
                            "rank", POSITIVE,
                            "recipient_id", TEXT,
                            "display_name", orNull(TEXT),
                            "hashrate_ths", orNull(DEC),
                            "included_share_count", POSITIVE,
                            "counted_share_difficulty", DEC,
                            "share_percent", orNull(DEC),
                            "blocks_found_total", INT,
                            "last_share_at", orNull(TS)))),
            document(
                    "blocks.v1",
                    "pagination",
                    PAGINATION,
                    "rows",
                    list(object(
                            "height", INT,
                            "hash", HASH,
                            "found_at", TS,
                            "network_difficulty", DEC,
                            "bits", BITS8,
                            "solver_recipient_id", TEXT,
                            "solver_worker_name", orNull(TEXT),
                            "solver_share_difficulty", orNull(DEC),
                            "reward_window_weight", orNull(DEC),
                            "coinbase_value_bits", INT,
                            "audit_bundle_sha256", orNull(HASH),
                            "payout_manifest_sha256", orNull(HASH),
                            "explorer_url", orNull(TEXT)))),
            document(
                    "settlement-artifacts.v1",
                    "block_hash",
                    HASH,
                    "block_height",
                    INT,
                    "settlement_mode",
                    word("direct_coinbase", "hybrid_coinbase_ctv_fanout", "ctv_fanout"),
                    "audit_bundle_sha256",
                    orNull(HASH),
                    "payout_manifest_sha256",
                    orNull(HASH),
                    "artifact_links",
                    list(object(
                            "kind", word("audit_bundle", "ctv_manifest_set", "ctv_manifest", "fanout_transaction"),
                            "sha256", HASH,
                            "url", orNull(TEXT),
                            "content_type", word("application/json"),
                            "byte_length", orNull(INT))),
                    "fanouts",
                    list(FANOUT)),
            document("pending-fanouts.v1", "pagination", PAGINATION, "rows", list(FANOUT)),
            document("fanout.v1", "fanout", FANOUT),
            document(
                    "mining-configuration.v1",
                    "active_configuration_id",
                    word("default"),
                    "configurations",
                    list(object(
                            "id", TEXT,
                            "label", TEXT,
                            "description", TEXT,
                            "pool_fee_bps", BPS,
                            "block_template_policy", TEXT,
                            "stratum_endpoints",
                                    list(object(
                                            "label", TEXT,
                                            "url", TEXT,
                                            "protocol", word("stratum_v1"),
                                            "default_port", PORT))))),
            document(
                    "miner.v1",
                    "recipient_id",
                    TEXT,
                    "display_name",
                    NULL,
                    "owed_balance_bits",
                    INT,
                    "lifetime_earnings_bits",
                    INT,
                    "pending_maturity_bits",
                    INT,
                    "unpaid_earnings_bits",
                    INT,
                    "minimum_payout_bits",
                    INT,
                    "hashrate_ths",
                    object("m1", DEC, "m5", DEC, "m10", DEC, "h3", DEC, "h24", DEC),
                    "shares",
                    object("accepted_3h", INT, "accepted_difficulty_3h", DEC, "last_share_at", orNull(TS)),
                    "estimated_next_block",
                    object("share_percent", orNull(DEC), "estimated_reward_bits", orNull(INT)),
                    "estimated_time_to_minimum_payout_seconds",
                    orNull(number(0)),
                    "reward_window_percent",
                    orNull(DEC),
                    "workers_currently_hashing",
                    INT,
                    "workers",
                    atMost(5, WORKER),
                    "recent_payouts",
                    atMost(5, PAYOUT)),
            document("miner-earnings.v1", "recipient_id", TEXT, "pagination", PAGINATION, "rows", list(EARNING)),
            document("miner-payouts.v1", "recipient_id", TEXT, "pagination", PAGINATION, "rows", list(PAYOUT)),
            document("miner-workers.v1", "recipient_id", TEXT, "pagination", PAGINATION, "rows", list(WORKER)),
            Map.entry(
                    "prism.dashboard.error.v1",
                    object(
                            "schema",
                            TEXT,
                            "error",
                            object(
                                    "code",
                                            word(
                                                    "bad_request",
                                                    "not_found",
                                                    "rate_limited",
                                                    "internal_error",
                                                    "upstream_unavailable"),
                                    "message", TEXT,
                                    "request_id", orNull(TEXT)))));

    private PublicShapes() {}

    private static Map.Entry<String, Shape> document(String name, Object... members) {
        String schema = "prism.dashboard." + name;
        List<Object> all = new ArrayList<>(List.of("schema", word(schema), "generated_at", TS));
        all.addAll(List.of(members));
        return Map.entry(schema, object(all.toArray()));
    }

    /**
     * Finds what is wrong with a body.
     *
     * @param body a body of the public API, not an artifact
     * @return every difference from the shape of its schema, empty if it keeps the contract
     */
    public static List<String> problems(JsonNode body) {
        List<String> problems = new ArrayList<>();
        String schema = body.path("schema").asText();
        Objects.requireNonNullElseGet(BY_SCHEMA.get(schema), () -> Shape.node("known document", any -> false))
                .check(schema, body, problems);
        String text = body.toString().toLowerCase(Locale.ROOT);
        for (String word : List.of("sats", "tides", "satoshis")) {
            if (text.contains(word)) {
                problems.add("the body contains the word " + word);
            }
        }
        return problems;
    }
}
