package org.prismpool.app.composition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.app.check.CheckReport;
import org.prismpool.app.check.CheckRow;
import org.prismpool.app.check.SelfCheck;
import org.prismpool.app.composition.backend.RestoreDrill;
import org.prismpool.app.demo.EmbeddedDatabase;
import org.prismpool.app.demo.miner.CpuMiner;
import org.prismpool.app.demo.miner.CpuMinerConfig;
import org.prismpool.app.devnode.DevNode;
import org.prismpool.app.devnode.DevNodeConfig;
import org.prismpool.app.devnode.DevNodeHttp;
import org.prismpool.app.devnode.DevNodeHttpConfig;
import org.prismpool.app.testing.TestSettings;
import org.prismpool.config.ConfigReport;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.config.ProcessRole;
import org.prismpool.lifecycle.metrics.MetricCatalogue;
import org.prismpool.lifecycle.metrics.MetricFamily;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;

/** The whole coordinator over a real database and a real node, looked at from outside. */
@Timeout(180)
class RealBackendsIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String MINER =
            P2mrAddress.of(Network.REGTEST, new byte[32]).text();

    @TempDir
    private static Path directory;

    private static EmbeddedDatabase database;
    private static DevNode node;
    private static DevNodeHttp rpc;
    private static Map<String, String> environment;
    private static Coordinator coordinator;
    private static final List<String> found = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        database = EmbeddedDatabase.start(directory.resolve("postgres"));
        node = DevNode.start(DevNodeConfig.forDemo());
        rpc = DevNodeHttp.start(
                DevNodeHttpConfig.onLoopback(TestSettings.RPC_USER, TestSettings.RPC_PASSWORD)
                        .withPort(0),
                node);
        environment = TestSettings.postgres(rpc.port(), database.dsn(), directory);
        environment.put("PRISM_AUDIT_BIND", "127.0.0.1");
        environment.put("PRISM_STRATUM_SHARE_DIFF", "0.0001");
        environment.put("PRISM_HEALTH_REFRESH_SECONDS", "1");
        environment.put("PRISM_METRICS_REFRESH_SECONDS", "1");
        ConfigReport report = PrismConfiguration.loader().load(environment);
        assertThat(report.errors()).isEmpty();
        coordinator = new Coordinator(
                report.environment(), new CoordinatorOptions(Optional.of(0), Optional.of(0), 3), new PoolEvents() {
                    @Override
                    public void blockAccounted(
                            org.prismpool.payout.finalization.CandidateIntent intent, long publicationSequence) {
                        synchronized (found) {
                            found.add(intent.solution().hash().displayHex());
                        }
                    }
                });
        assertThat(coordinator.start()).isTrue();
    }

    @AfterAll
    static void close() {
        coordinator.stop("test_end");
        rpc.close();
        node.close();
        database.close();
    }

    private static HttpRequest request(String path) {
        int port = coordinator.httpPort().orElseThrow();
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(SOON)
                .build();
    }

    private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return CLIENT.send(request(path), HttpResponse.BodyHandlers.ofString());
    }

    private static JsonNode ok(String path) throws IOException, InterruptedException {
        HttpResponse<String> answer = get(path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body());
    }

    private static String foundBlock() {
        synchronized (found) {
            return found.isEmpty() ? "" : found.get(0);
        }
    }

    @Test
    void everyFamilyOfTheCatalogueIsInTheDocument() throws Exception {
        await("first document").atMost(SOON).until(() -> get("/metrics").statusCode() == 200);
        Set<String> rendered = get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("# TYPE "))
                .map(line -> line.split(" ")[2].replaceFirst("^qbit_prism_", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> declared = MetricCatalogue.ofThePool().families().stream()
                .map(MetricFamily::name)
                .collect(Collectors.toCollection(TreeSet::new));

        declared.removeAll(rendered);
        assertThat(declared)
                .as("maximum series are lines of their summary")
                .allMatch(name -> name.equals("accepted_stats_reconcile_age_seconds"));
        String body = get("/metrics").body();
        assertThat(body)
                .contains("qbit_prism_config_warnings 3\n", "qbit_prism_log_events_dropped_total 0\n")
                .containsPattern("qbit_prism_node_rpc_calls_total\\{method=\"getblocktemplate\",outcome=\"ok\"} [1-9]")
                .contains("qbit_prism_audit_artifact_scan_error 0\n");
        await("the phases of a start")
                .atMost(SOON)
                .untilAsserted(() -> assertThat(get("/metrics").body())
                        .contains(
                                "startup_phase_seconds{phase=\"lease_heartbeat_started\"}",
                                "startup_phase_seconds{phase=\"node_rpc_ready\"}",
                                "startup_phase_seconds{phase=\"audit_listener_bound\"}",
                                "startup_phase_seconds{phase=\"block_replay_enumerated\"}",
                                "startup_phase_seconds{phase=\"first_tip_template_published\"}",
                                "startup_phase_seconds{phase=\"health_snapshot_warm\"}"));
    }

    @Test
    void aCheckOfTheRunningPoolPassesItsLiveRows() throws Exception {
        Map<String, String> running = new HashMap<>(environment);
        running.put("PRISM_STRATUM_PORT", Integer.toString(coordinator.stratumPort()));
        running.put("PRISM_AUDIT_PORT", Integer.toString(coordinator.httpPort().orElseThrow()));
        await("health").atMost(SOON).until(() -> get("/healthz").statusCode() == 200);

        CheckReport report = new SelfCheck(running, ProcessRole.ALL, Duration.ofSeconds(10)).run(true, false, Set.of());

        Map<String, CheckRow.Level> levels =
                report.rows().stream().collect(Collectors.toMap(CheckRow::id, CheckRow::level));
        assertThat(levels)
                .as(report.text())
                .containsEntry("qbit.rpc", CheckRow.Level.PASS)
                .containsEntry("qbit.rpc_chain", CheckRow.Level.PASS)
                .containsEntry("qbit.template", CheckRow.Level.PASS)
                .containsEntry("postgres.ready", CheckRow.Level.PASS)
                .containsEntry("postgres.durability", CheckRow.Level.PASS)
                .containsEntry("postgres.schema", CheckRow.Level.PASS)
                .containsEntry("stratum.tcp", CheckRow.Level.PASS)
                .containsEntry("coordinator.healthz", CheckRow.Level.PASS)
                .containsEntry("audit.writable", CheckRow.Level.PASS);
    }

    @Test
    void aFoundBlockIsShownByEveryPrivateEndpoint() throws Exception {
        try (CpuMiner miner =
                new CpuMiner(CpuMinerConfig.forPool("127.0.0.1", coordinator.stratumPort(), MINER + ".rig")
                        .withPassword("x")
                        .withThreads(1))) {
            miner.start();
            await("a block")
                    .atMost(Duration.ofSeconds(90))
                    .until(() -> !foundBlock().isEmpty());
        }
        String block = foundBlock();
        nothingIsLeftOfTheMinerInTheGauges();

        assertThat(ok("/audit/latest").get("schema").asText()).isEqualTo("qbit.prism.live-stratum-evidence.v1");
        assertThat(ok("/audit/latest").get("ledger_backend").asText()).isEqualTo("postgres-psql");
        JsonNode payouts = ok("/audit/blocks/" + block + "/payouts");
        assertThat(payouts.get("rows").size()).isPositive();
        JsonNode bundle = ok("/audit/blocks/" + block + "/bundle");
        assertThat(bundle.at("/audit_bundle/schema").asText()).startsWith("qbit.prism.audit-bundle.v1");
        assertThat(bundle.get("audit_bundle_sha256").asText()).matches("[0-9a-f]{64}");
        assertThat(ok("/miners/" + MINER + "/status").get("recent_payouts").size())
                .isPositive();
        assertThat(ok("/owed").get("schema").asText()).isEqualTo("qbit.prism.owed-balances.v1");
        JsonNode proof = ok("/audit/carry-forward-integrity");
        assertThat(proof.get("current_drift_count").asInt()).isZero();
        assertThat(proof.get("audit_row_count").asInt()).isPositive();
        String window = "?anchor_job_issued_at_ms=" + System.currentTimeMillis() + "&network_difficulty=1";
        assertThat(ok("/audit/share-window" + window).get("rows").size()).isPositive();
        assertThat(ok("/audit/fanouts/pending").get("count").asInt()).isZero();
        assertThat(get("/audit/blocks/" + "0".repeat(64) + "/bundle").statusCode())
                .isEqualTo(404);
        assertThat(get("/audit/blocks/nothing/payouts").statusCode()).isEqualTo(400);

        Path audit = directory.resolve("audit");
        RestoreDrill.Report whole = drill(audit);
        assertThat(whole.findings()).isEmpty();
        assertThat(whole.ledger().bundledBlocks()).contains(block);
        assertThat(whole.bodies()).isPositive();
        assertThat(drill(Files.createDirectory(directory.resolve("restored"))).findings())
                .anyMatch(finding -> finding.startsWith("block " + block + ": its audit body cannot be read"));
    }

    private static RestoreDrill.Report drill(Path audit) {
        return RestoreDrill.of(Map.of(), Optional.of(database.dsn()), Optional.of(audit))
                .run();
    }

    @Test
    void healthAndMetricsAnswerAtOnceWhileNodeAndDatabaseHang() throws Exception {
        await("first documents")
                .atMost(SOON)
                .until(() -> get("/metrics").statusCode() == 200
                        && !get("/healthz").body().contains("\"starting\""));
        node.faults().hold("*");
        List<CompletableFuture<HttpResponse<String>>> held = new ArrayList<>();
        try (Connection blocking = DriverManager.getConnection(
                        "jdbc:" + database.dsn().replace("postgres@", "") + "?user=postgres");
                Statement statement = blocking.createStatement()) {
            blocking.setAutoCommit(false);
            statement.execute("LOCK TABLE qbit_pool_blocks, qbit_share_ledger, qbit_payout_carry_forward_current"
                    + " IN ACCESS EXCLUSIVE MODE");
            for (int i = 0; i < 20; i++) { // more than there are request threads
                held.add(CLIENT.sendAsync(
                        request("/audit/blocks/" + "0".repeat(64) + "/payouts?" + i),
                        HttpResponse.BodyHandlers.ofString()));
            }
            await("the collector hangs too").atMost(SOON).until(() -> metricsAge() >= 2); // its period is a second

            for (String path : new String[] {"/healthz", "/metrics", "/livez"}) {
                // A program that waits for a backend never gets there; a machine that is busy elsewhere does in the
                // end.
                await(path + " within 50 ms").atMost(SOON).until(() -> medianMillis(path) < 50);
            }
            assertThat(metricsAge()).isGreaterThanOrEqualTo(2);
            assertThat(held).noneMatch(CompletableFuture::isDone);
            blocking.rollback();
        } finally {
            node.faults().clear();
        }
        for (CompletableFuture<HttpResponse<String>> answer : held) {
            assertThat(answer.get().statusCode()).isEqualTo(404);
        }
    }

    private static long metricsAge() throws Exception {
        return get("/metrics").headers().firstValueAsLong("Age").orElse(0);
    }

    private static void nothingIsLeftOfTheMinerInTheGauges() {
        await("the gauges of a pool without miners")
                .atMost(SOON)
                .untilAsserted(() -> assertThat(get("/metrics").body())
                        .contains(
                                "qbit_prism_stratum_active_connections 0\n",
                                "qbit_prism_stratum_authorized_connections 0\n",
                                "qbit_prism_active_job_contexts 0\n",
                                "qbit_prism_clients_with_no_active_job 0\n",
                                "qbit_prism_stratum_pending_initial_jobs 0\n",
                                "qbit_prism_stratum_oldest_genuinely_pending_initial_job_seconds 0\n",
                                "qbit_prism_initial_job_delivery_active_workers 0\n"));
    }

    /** The middle of 21: one slow answer of a busy machine is no statement about the program. */
    private static double medianMillis(String path) throws Exception {
        List<Double> took = new ArrayList<>();
        for (int i = 0; i < 21; i++) {
            long before = System.nanoTime();
            get(path);
            took.add((System.nanoTime() - before) / 1e6);
        }
        took.sort(Double::compare);
        return took.get(10);
    }
}
