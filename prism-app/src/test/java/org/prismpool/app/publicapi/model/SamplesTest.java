package org.prismpool.app.publicapi.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.prismpool.app.publicapi.model.formula.CompactBits;
import org.prismpool.app.publicapi.model.formula.Decimals;
import org.prismpool.app.publicapi.model.formula.RewardShare;
import org.prismpool.app.publicapi.model.formula.WorkRate;

/** The contract's samples: closed shapes, and numbers that follow from each other (spec 08 A17, A18). */
class SamplesTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> NULLABLE =
            List.of("audit_bundle_sha256", "payout_manifest_sha256", "reward_window_percent");

    static List<String> names() {
        return List.of(
                "blocks",
                "error",
                "fanout",
                "hashrate-series",
                "leaderboard",
                "leaderboard-legacy",
                "miner",
                "miner-earnings",
                "miner-payouts",
                "miner-workers",
                "mining-configuration",
                "pending-fanouts",
                "pool-summary",
                "settlement-artifacts",
                "settlement-artifacts-direct-coinbase");
    }

    static JsonNode sample(String name) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(SamplesTest.class.getResourceAsStream("/public-api/" + name + ".json"), name)) {
            return JSON.readTree(in);
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void aSampleKeepsTheClosedShape(String name) throws IOException {
        assertThat(PublicShapes.problems(sample(name))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("names")
    void aMemberMoreOrLessOrOfAnotherTypeIsNoticed(String name) throws IOException {
        ObjectNode more = (ObjectNode) sample(name);
        more.put("total_sats", 1);
        assertThat(PublicShapes.problems(more)).hasSizeGreaterThanOrEqualTo(2);
        for (String member : (Iterable<String>) sample(name)::fieldNames) {
            ObjectNode less = (ObjectNode) sample(name);
            less.remove(member);
            assertThat(PublicShapes.problems(less)).isNotEmpty();
            ObjectNode other = (ObjectNode) sample(name);
            other.put(member, -1.5);
            assertThat(PublicShapes.problems(other)).isNotEmpty();
            ObjectNode nothing = (ObjectNode) sample(name);
            boolean empty = nothing.get(member).isNull();
            nothing.putNull(member);
            assertThat(PublicShapes.problems(nothing).isEmpty())
                    .as(member)
                    .isEqualTo(empty || NULLABLE.contains(member));
        }
    }

    @Test
    void aRowsMembersAreCheckedToo() throws IOException {
        ObjectNode blocks = (ObjectNode) sample("blocks");
        ((ObjectNode) ((ArrayNode) blocks.get("rows")).get(1))
                .put("bits", "1D00FFFF")
                .remove("explorer_url");

        assertThat(PublicShapes.problems(blocks)).singleElement().asString().contains("rows[1]");
    }

    private static BigInteger integer(JsonNode text) {
        return new BigInteger(text.asText());
    }

    private static BigInteger difficulty(JsonNode bits) {
        return CompactBits.of(bits.asText()).orElseThrow().networkDifficulty();
    }

    @Test
    void theSummarysNumbersFollowFromItsFacts() throws IOException {
        JsonNode network = sample("pool-summary").get("network");
        JsonNode pool = sample("pool-summary").get("pool");
        BigInteger difficulty = difficulty(network.get("bits"));

        assertThat(integer(network.get("network_difficulty"))).isEqualTo(difficulty);
        assertThat(integer(pool.get("reward_window").get("requested_window_weight")))
                .isEqualTo(RewardShare.windowWeight(difficulty));
        assertThat(WorkRate.secondsToBlock(
                        new BigDecimal(pool.get("hashrate_ths").get("h3").asText()), difficulty))
                .contains(pool.get("expected_time_to_block_seconds").bigIntegerValue());
        JsonNode latest = pool.get("latest_block");
        assertThat(Duration.between(
                        Instant.parse(latest.get("found_at").asText()),
                        Instant.parse(sample("pool-summary").get("generated_at").asText())))
                .hasSeconds(latest.get("age_seconds").asLong());
    }

    @Test
    void theBlocksNumbersFollowFromTheirBits() throws IOException {
        for (JsonNode row : sample("blocks").get("rows")) {
            BigInteger difficulty = difficulty(row.get("bits"));
            assertThat(integer(row.get("network_difficulty"))).isEqualTo(difficulty);
            assertThat(integer(row.get("reward_window_weight"))).isEqualTo(RewardShare.windowWeight(difficulty));
        }
    }

    @Test
    void theLeaderboardsNumbersFollowFromItsWindow() throws IOException {
        JsonNode board = sample("leaderboard");
        JsonNode window = board.get("window");
        JsonNode totals = board.get("totals");
        BigInteger difficulty = integer(window.get("network_difficulty"));
        BigInteger counted = integer(window.get("counted_window_weight"));
        long span = window.get("observed_span_seconds").asLong();

        assertThat(integer(window.get("requested_window_weight"))).isEqualTo(RewardShare.windowWeight(difficulty));
        assertThat(integer(totals.get("pool_counted_share_difficulty"))).isEqualTo(counted);
        BigDecimal rate = WorkRate.terahashes(counted, span);
        assertThat(Decimals.text(rate))
                .isEqualTo(totals.get("pool_hashrate_ths").asText());
        assertThat(WorkRate.secondsToBlock(rate, difficulty))
                .contains(totals.get("expected_time_to_block_seconds").bigIntegerValue());
        for (JsonNode row : board.get("rows")) {
            BigInteger work = integer(row.get("counted_share_difficulty"));
            assertThat(Decimals.text(WorkRate.terahashes(work, span)))
                    .isEqualTo(row.get("hashrate_ths").asText());
            assertThat(RewardShare.percent(work, counted).orElseThrow().setScale(2, RoundingMode.HALF_EVEN))
                    .isEqualTo(row.get("share_percent").asText());
        }
    }

    @Test
    void theMinersEstimateFollowsFromItsPercentAndTheLatestBlock() throws IOException {
        JsonNode estimate = sample("miner").get("estimated_next_block");
        JsonNode fee =
                sample("mining-configuration").get("configurations").get(0).get("pool_fee_bps");
        long coinbase =
                sample("blocks").get("rows").get(0).get("coinbase_value_bits").asLong();

        assertThat(RewardShare.estimatedReward(
                        new BigDecimal(estimate.get("share_percent").asText()), coinbase, fee.asInt()))
                .isEqualTo(estimate.get("estimated_reward_bits").bigIntegerValue());
    }

    @Test
    void pagesFollowFromTheirTotals() throws IOException {
        for (String name : List.of("blocks", "leaderboard", "miner-earnings", "miner-payouts", "pending-fanouts")) {
            JsonNode pagination = sample(name).get("pagination");
            long total = pagination.get("total_count").asLong();
            long limit = pagination.get("limit").asLong();
            assertThat(pagination.get("total_pages").asLong()).isEqualTo((total + limit - 1) / limit);
        }
    }
}
