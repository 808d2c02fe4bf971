package org.prismpool.app.composition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The public API of a running coordinator, on both of its listeners (spec 08 §7.1, §7.7, A24). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PublicApiIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String UNKNOWN = "ab".repeat(32);

    private final HttpClient client = HttpClient.newHttpClient();
    private TestCoordinator coordinator;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        coordinator = TestCoordinator.start(
                directory,
                Map.of(
                        "PRISM_PUBLIC_API_BIND", "127.0.0.1",
                        "PRISM_PUBLIC_POOL_NAME", "Pool under test",
                        "PRISM_PUBLIC_RATE_LIMIT_PER_SECOND", "0.01",
                        "PRISM_PUBLIC_RATE_LIMIT_BURST", "200"));
    }

    @AfterAll
    void stop() {
        coordinator.close();
    }

    private HttpResponse<String> get(int port, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(40))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private List<Integer> ports() {
        return List.of(coordinator.httpPort(), coordinator.publicPort());
    }

    private JsonNode ok(int port, String path) throws Exception {
        HttpResponse<String> answer = get(port, "/public/v1" + path);
        assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body());
    }

    @Test
    void everyDocumentIsServedOnBothListeners() throws Exception {
        String miner = "/miners/" + TestCoordinator.ADDRESS;
        Map<String, String> schemas = Map.ofEntries(
                Map.entry("/pool-summary", "pool-summary.v1"),
                Map.entry("/hashrate-series", "hashrate-series.v1"),
                Map.entry("/leaderboard", "leaderboard.v1"),
                Map.entry("/leaderboard?window=reward", "leaderboard.v2"),
                Map.entry("/blocks", "blocks.v1"),
                Map.entry("/fanouts/pending", "pending-fanouts.v1"),
                Map.entry("/mining-configuration", "mining-configuration.v1"),
                Map.entry(miner, "miner.v1"),
                Map.entry(miner + "/earnings", "miner-earnings.v1"),
                Map.entry(miner + "/payouts", "miner-payouts.v1"),
                Map.entry(miner + "/workers", "miner-workers.v1"));
        for (int port : ports()) {
            for (Map.Entry<String, String> document : schemas.entrySet()) {
                JsonNode body = ok(port, document.getKey());
                assertThat(body.get("schema").asText()).isEqualTo("prism.dashboard." + document.getValue());
                assertThat(body.get("generated_at").asText()).matches("[0-9T:-]+Z");
            }
        }
    }

    @Test
    void whatDoesNotExistIsNotFound() throws Exception {
        assertThat(get(coordinator.publicPort(), "/public/v1/blocks/" + UNKNOWN + "/settlement-artifacts")
                        .body())
                .contains("unknown PRISM settlement artifact block");
        assertThat(get(coordinator.publicPort(), "/public/v1/fanouts/" + UNKNOWN)
                        .body())
                .contains("unknown PRISM CTV fanout");
        assertThat(get(coordinator.publicPort(), "/public/v1/artifacts/" + UNKNOWN)
                        .body())
                .contains("unknown public PRISM artifact");
    }

    @Test
    void theListenersShareOneCache() throws Exception {
        String path = "/public/v1/hashrate-series?range=6m";

        HttpResponse<String> first = get(coordinator.httpPort(), path);
        HttpResponse<String> second = get(coordinator.publicPort(), path);

        assertThat(second.body()).isEqualTo(first.body());
    }

    @Test
    void theUrlOfThePoolHasThePortThatItListensOn() throws Exception {
        assertThat(ok(coordinator.publicPort(), "/mining-configuration")
                        .at("/configurations/0/stratum_endpoints/0/url")
                        .asText())
                .endsWith(":" + coordinator.stratumPort());
    }

    @Test
    void thePrivatePathsStayPrivate() throws Exception {
        for (String path : List.of("/metrics", "/healthz", "/livez", "/audit/latest", "/owed")) {
            assertThat(get(coordinator.publicPort(), path).statusCode()).isEqualTo(404);
        }
        assertThat(get(coordinator.httpPort(), "/owed").statusCode()).isEqualTo(200);
    }

    @Test
    void thePageIsPaintedForMinersAndForOperators() throws Exception {
        assertThat(get(coordinator.publicPort(), "/").body())
                .contains("data-private=\"false\"", "data-state=\"ok\"", "Pool under test", "regtest");
        assertThat(get(coordinator.httpPort(), "/").body()).contains("data-private=\"true\"");
    }

    @Test
    void aClientAboveItsLimitIsCounted(@TempDir Path directory) throws Exception {
        try (TestCoordinator strict = TestCoordinator.start(
                directory,
                Map.of("PRISM_PUBLIC_RATE_LIMIT_PER_SECOND", "0.01", "PRISM_PUBLIC_RATE_LIMIT_BURST", "1"))) {
            get(strict.httpPort(), "/public/v1/mining-configuration");

            assertThat(get(strict.httpPort(), "/public/v1/mining-configuration").statusCode())
                    .isEqualTo(429);
            await("the refusal is counted")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> strict.metric("public_http_rejections_total{reason=\"rate_limited\"}") == 1);
        }
    }
}
