package org.prismpool.app.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.hash.Hashing;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.app.devnode.fault.Fault;
import org.prismpool.app.devnode.fault.FaultPlan;
import org.prismpool.app.publicapi.model.PublicShapes;
import org.prismpool.templates.chain.Hash256;

/** What the public sees of a found block: the real coordinator, a real PostgreSQL and the development node, over HTTP. */
@ExtendWith(SharedPostgres.class)
class PublicPagesIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String MINER = "/public/v1/miners/" + TestPool.MINER_A;

    @TempDir
    private Path directory;

    private TestPool pool;

    @BeforeEach
    void start(SharedPostgres.Server postgres) throws Exception {
        pool = new TestPool(postgres, directory)
                .set("PRISM_AUDIT_BIND", "127.0.0.1")
                .set("PRISM_PUBLIC_CACHE_ENABLED", "0")
                .set("PRISM_PUBLIC_REWARD_WINDOW_CACHE_SECONDS", "0")
                .set("PRISM_PUBLIC_RATE_LIMIT_PER_SECOND", "0")
                .set("PRISM_PUBLIC_POOL_NAME", "Pool of tests")
                .set("PRISM_PUBLIC_EXPLORER_BLOCK_URL_PREFIX", "https://explorer.example/block/")
                .start();
    }

    @AfterEach
    void close() throws Exception {
        pool.close();
    }

    private HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
        int port = pool.coordinator().httpPort().orElseThrow();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(30))
                .build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.ofByteArray());
    }

    private JsonNode read(int status, String path) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = get(path);
        JsonNode body = JSON.readTree(answer.body());
        assertThat(answer.statusCode()).as(path + ": " + body).isEqualTo(status);
        assertThat(PublicShapes.problems(body)).as(path).isEmpty();
        return body;
    }

    @Test
    void everyPageShowsAFoundBlock() throws Exception {
        Hash256 hash = pool.land();
        pool.chainState(hash, "confirmed");
        String block = hash.displayHex();

        JsonNode summary = read(200, "/public/v1/pool-summary");
        assertThat(summary.at("/network/name").asText()).isEqualTo("regtest");
        assertThat(summary.at("/network/tip_hash").asText())
                .isEqualTo(pool.tip().displayHex());
        assertThat(summary.at("/pool/name").asText()).isEqualTo("Pool of tests");
        assertThat(summary.at("/pool/blocks_found_total").asInt()).isEqualTo(1);
        assertThat(summary.at("/pool/latest_block/hash").asText()).isEqualTo(block);
        assertThat(summary.at("/pool/latest_block/solver_recipient_id").asText())
                .isEqualTo(TestPool.MINER_A);
        assertThat(summary.at("/pool/latest_block/solver_worker_name").asText()).isEqualTo("rig");
        assertThat(summary.at("/pool/reward_window/included_share_count").asInt())
                .isEqualTo(1);

        JsonNode found = read(200, "/public/v1/blocks").at("/rows/0");
        assertThat(found.get("hash").asText()).isEqualTo(block);
        assertThat(found.get("bits").asText())
                .isEqualTo(summary.at("/network/bits").asText());
        assertThat(found.get("explorer_url").asText()).isEqualTo("https://explorer.example/block/" + block);
        assertThat(found.get("coinbase_value_bits").asLong())
                .isEqualTo(summary.at("/pool/total_mined_bits").asLong());
        paid(found);
        proved(block, found);
        boards();
    }

    private void paid(JsonNode found) throws Exception {
        JsonNode miner = read(200, MINER);
        long coinbase = found.get("coinbase_value_bits").asLong();
        assertThat(miner.get("lifetime_earnings_bits").asLong()).isEqualTo(coinbase);
        assertThat(miner.get("pending_maturity_bits").asLong()).isEqualTo(coinbase);
        assertThat(miner.get("reward_window_percent").asText()).isEqualTo("100");
        assertThat(miner.at("/estimated_next_block/estimated_reward_bits").asLong())
                .isEqualTo(coinbase);
        assertThat(miner.at("/workers/0/worker_name").asText()).isEqualTo("rig");

        JsonNode payouts = read(200, MINER + "/payouts");
        assertThat(payouts.at("/rows/0")).isEqualTo(miner.at("/recent_payouts/0"));
        assertThat(payouts.at("/rows/0/transaction_kind").asText()).isEqualTo("coinbase");
        assertThat(payouts.at("/rows/0/onchain_amount_bits").asLong()).isEqualTo(coinbase);
        JsonNode earnings = read(200, MINER + "/earnings");
        assertThat(earnings.at("/rows/0/reward_share_percent").asText()).isEqualTo("100");
        assertThat(read(200, MINER + "/workers").at("/rows/0")).isEqualTo(miner.at("/workers/0"));
        assertThat(read(200, "/public/v1/miners/nobody/payouts").get("rows")).isEmpty();
    }

    private void proved(String block, JsonNode found) throws Exception {
        JsonNode settlement = read(200, "/public/v1/blocks/" + block + "/settlement-artifacts");
        assertThat(settlement.get("settlement_mode").asText()).isEqualTo("direct_coinbase");
        JsonNode link = settlement.at("/artifact_links/0");
        assertThat(link.get("sha256")).isEqualTo(found.get("audit_bundle_sha256"));
        HttpResponse<byte[]> bundle = get(link.get("url").asText());
        assertThat(bundle.statusCode()).isEqualTo(200);
        assertThat(Hashing.sha256().hashBytes(bundle.body()).toString())
                .isEqualTo(link.get("sha256").asText());
        assertThat(read(200, "/public/v1/fanouts/pending").get("rows")).isEmpty();
        assertThat(read(404, "/public/v1/artifacts/" + "00".repeat(32))
                        .at("/error/message")
                        .asText())
                .isEqualTo("unknown public PRISM artifact");
    }

    private void boards() throws Exception {
        assertThat(read(200, "/public/v1/leaderboard")
                        .at("/rows/0/blocks_found")
                        .asInt())
                .isEqualTo(1);
        JsonNode reward = read(200, "/public/v1/leaderboard?window=reward");
        assertThat(reward.at("/rows/0/recipient_id").asText()).isEqualTo(TestPool.MINER_A);
        assertThat(reward.get("generated_at")).isEqualTo(reward.at("/window/ended_at"));
        assertThat(read(200, "/public/v1/hashrate-series?range=all&bucket=5m").get("points"))
                .hasSize(1);
        read(200, "/public/v1/mining-configuration");
    }

    @Test
    void aNodeThatDoesNotAnswerIsSaidSoAndWhatNeedsNoNodeIsShown() throws Exception {
        pool.node()
                .faults()
                .add("getblockchaininfo", new Fault.RpcError(-28, "Loading wallet"), FaultPlan.UNTIL_CLEARED);

        await("503")
                .atMost(Duration.ofSeconds(30))
                .until(() -> get("/public/v1/pool-summary").statusCode() == 503);
        JsonNode error = read(503, "/public/v1/pool-summary");
        assertThat(error.at("/error/code").asText()).isEqualTo("upstream_unavailable");
        assertThat(error.toString()).doesNotContain("wallet");
        assertThat(read(503, MINER).at("/error/code").asText()).isEqualTo("upstream_unavailable");
        assertThat(read(200, "/public/v1/blocks").get("rows")).isEmpty();
    }
}
