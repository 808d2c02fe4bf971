package org.prismpool.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.app.composition.PoolEvents;

/** A running coordinator from outside: what an operator polls and what a miner's first bytes bring. */
class RunningPoolIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    private static Path directory;

    private static DemoPool pool;

    @BeforeAll
    static void start() throws Exception {
        DemoOptions nobodyMines = new DemoOptions(0, 1, Optional.empty(), 1, 0, true, true);
        pool = DemoPool.open(nobodyMines, directory, PoolEvents.NONE);
        assertThat(pool.start()).isTrue();
    }

    @AfterAll
    static void close() {
        pool.close();
    }

    private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        int port = pool.coordinator().httpPort().orElseThrow();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(10))
                .build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void answersLivenessHealthAndMetrics() throws Exception {
        assertThat(get("/livez").statusCode()).isEqualTo(200);
        assertThat(get("/nothing").statusCode()).isEqualTo(404);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> !get("/healthz").body().contains("\"starting\""));
        JsonNode health = JSON.readTree(get("/healthz").body());
        assertThat(health.get("schema").asText()).isEqualTo("qbit.prism.audit-health.v1");
        assertThat(health.get("ledger_backend").asText()).isEqualTo("memory");
        assertThat(JSON.readTree(get("/readyz").body()).get("ledger_backend")).isEqualTo(health.get("ledger_backend"));
        await().atMost(Duration.ofSeconds(30)).until(() -> get("/metrics").statusCode() == 200);
        HttpResponse<String> metrics = get("/metrics");
        assertThat(metrics.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
        assertThat(metrics.body()).contains("qbit_prism_accepted_shares_total 0", "# TYPE qbit_prism_");
    }

    @Test
    void aMinersFirstWorkIsADifficultyAndAJobInOnePiece() throws Exception {
        String address = new DemoIdentities(1).miner(1).text();
        try (Socket socket = new Socket("127.0.0.1", pool.coordinator().stratumPort())) {
            socket.setSoTimeout(30_000);
            String login = "{\"id\": 1, \"method\": \"mining.subscribe\", \"params\": [\"test/1\"]}\n"
                    + "{\"id\": 2, \"method\": \"mining.authorize\", \"params\": [\"" + address + ".rig\", \"x\"]}\n"
                    + "{\"id\": 3, \"method\": \"mining.submit\", \"params\": [\"" + address
                    + ".rig\", \"prism-unknown-1\", \"0000000000000000\", \"00000000\", \"00000000\"]}\n";
            socket.getOutputStream().write(login.getBytes(StandardCharsets.US_ASCII));
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            List<JsonNode> seen = new ArrayList<>();
            while (seen.stream()
                            .noneMatch(line ->
                                    "mining.notify".equals(line.path("method").asText()))
                    || seen.stream().noneMatch(line -> line.path("id").asInt() == 3)) {
                seen.add(JSON.readTree(lines.readLine()));
            }
            int job = indexOf(seen, "mining.notify");
            assertThat(indexOf(seen, "mining.set_difficulty")).isEqualTo(job - 1);
            assertThat(seen.get(job).at("/params/8").asBoolean()).as("clean").isTrue();
            JsonNode refused = seen.stream()
                    .filter(line -> line.path("id").asInt() == 3)
                    .findFirst()
                    .orElseThrow();
            assertThat(refused.get("result").asBoolean()).isFalse();
            assertThat(refused.get("error").isArray()).isTrue();
        }
    }

    private static int indexOf(List<JsonNode> lines, String method) {
        for (int i = 0; i < lines.size(); i++) {
            if (method.equals(lines.get(i).path("method").asText())) {
                return i;
            }
        }
        return -1;
    }
}
