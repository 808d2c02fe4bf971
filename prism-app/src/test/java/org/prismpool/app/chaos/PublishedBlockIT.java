package org.prismpool.app.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.templates.chain.Hash256;

/** What the public sees of a found block, from the miner's share to the proof of the payout, over a real database. */
@ExtendWith(SharedPostgres.class)
class PublishedBlockIT {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    private TestPool pool;
    private String block = "";

    @BeforeEach
    void findABlock(SharedPostgres.Server postgres) throws Exception {
        pool = new TestPool(postgres, directory)
                .set("PRISM_AUDIT_BIND", "127.0.0.1")
                .set("PRISM_PUBLIC_CACHE_ENABLED", "0")
                .set("PRISM_PUBLIC_RATE_LIMIT_PER_SECOND", "0")
                .set("PRISM_PUBLIC_EXPLORER_BLOCK_URL_PREFIX", "https://explorer.example/block/")
                .start();
        Hash256 found = pool.land();
        pool.chainState(found, "confirmed");
        block = found.displayHex();
    }

    @AfterEach
    void close() throws Exception {
        pool.close();
    }

    private HttpResponse<byte[]> get(String path) throws Exception {
        int port = pool.coordinator().httpPort().orElseThrow();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(40))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    }

    private JsonNode ok(String path) throws Exception {
        HttpResponse<byte[]> answer = get("/public/v1" + path);
        String body = new String(answer.body(), StandardCharsets.UTF_8);
        assertThat(answer.statusCode()).as(path + ": " + body).isEqualTo(200);
        assertThat(body).doesNotContain("sats", "tides", "satoshis");
        return JSON.readTree(body);
    }

    @Test
    void theBlockIsListedWithItsSolver() throws Exception {
        JsonNode row = ok("/blocks").at("/rows/0");

        assertThat(row.get("hash").asText()).isEqualTo(block);
        assertThat(row.get("solver_recipient_id").asText()).isEqualTo(TestPool.MINER_A);
        assertThat(row.get("solver_worker_name").asText()).isEqualTo("rig");
        assertThat(row.get("explorer_url").asText()).isEqualTo("https://explorer.example/block/" + block);
        JsonNode latest = ok("/pool-summary").at("/pool/latest_block");
        assertThat(latest.get("hash").asText()).isEqualTo(block);
        assertThat(latest.get("solver_worker_name").asText()).isEqualTo("rig");
    }

    @Test
    void everyArtifactHasTheDigestThatItIsAskedFor() throws Exception {
        JsonNode settlement = ok("/blocks/" + block.toUpperCase(Locale.ROOT) + "/settlement-artifacts");

        List<String> kinds = new ArrayList<>();
        for (JsonNode link : settlement.get("artifact_links")) {
            kinds.add(link.get("kind").asText());
            HttpResponse<byte[]> artifact = get(link.get("url").asText());
            assertThat(artifact.statusCode()).isEqualTo(200);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(artifact.body());
            assertThat(HexFormat.of().formatHex(digest))
                    .isEqualTo(link.get("sha256").asText());
        }
        assertThat(kinds).contains("audit_bundle");
        assertThat(settlement.get("audit_bundle_sha256").asText())
                .isEqualTo(ok("/blocks").at("/rows/0/audit_bundle_sha256").asText());
    }

    @Test
    void theMinerSeesWhatItEarned() throws Exception {
        String miner = "/miners/" + TestPool.MINER_A;

        JsonNode earning = ok(miner + "/earnings").at("/rows/0");
        assertThat(earning.get("block_hash").asText()).isEqualTo(block);
        assertThat(earning.get("reward_share_percent").asText()).isEqualTo("100");
        assertThat(earning.get("maturity_state").asText()).isEqualTo("immature");
        JsonNode page = ok(miner);
        assertThat(page.get("lifetime_earnings_bits").asLong())
                .isPositive()
                .isEqualTo(earning.get("gross_earning_bits").asLong());
        assertThat(ok(miner + "/payouts").at("/rows/0/block_hash").asText()).isEqualTo(block);
        assertThat(ok(miner + "/workers").at("/rows/0/worker_name").asText()).isEqualTo("rig");
        for (String window : List.of("3h", "reward")) {
            assertThat(ok("/leaderboard?window=" + window)
                            .at("/rows/0/recipient_id")
                            .asText())
                    .isEqualTo(TestPool.MINER_A);
        }
        assertThat(ok("/hashrate-series?subject=miner:" + TestPool.MINER_A).get("points"))
                .isNotEmpty();
    }
}
