package org.prismpool.app.composition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.app.chaos.SharedPostgres;
import org.prismpool.app.check.CheckReport;
import org.prismpool.app.check.CheckRow;
import org.prismpool.app.check.SelfCheck;
import org.prismpool.app.composition.backend.LedgerSchema;
import org.prismpool.app.composition.backend.StartFailure;
import org.prismpool.app.devnode.DevNode;
import org.prismpool.app.devnode.DevNodeConfig;
import org.prismpool.app.devnode.DevNodeHttp;
import org.prismpool.app.devnode.DevNodeHttpConfig;
import org.prismpool.app.testing.TestSettings;
import org.prismpool.config.ConfigReport;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.config.ProcessRole;

/** The public process on a real database that holds an empty ledger: how it starts, what it serves and how it is refused. */
@Timeout(120)
@ExtendWith(SharedPostgres.class)
class PublicProcessIT {

    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    private Path folder;

    private final List<String> steps = new CopyOnWriteArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private DevNode node;
    private DevNodeHttp rpc;
    private String database;

    @BeforeEach
    void startBackends(SharedPostgres.Server postgres) throws Exception {
        node = DevNode.start(DevNodeConfig.forTests());
        node.control().mine(1); // a fresh tip, or the node counts as downloading
        rpc = DevNodeHttp.start(
                DevNodeHttpConfig.onLoopback(TestSettings.RPC_USER, TestSettings.RPC_PASSWORD)
                        .withPort(0),
                node);
        database = postgres.freshDatabase();
    }

    @AfterEach
    void stopBackends() {
        rpc.close();
        node.close();
    }

    private Map<String, String> environment(String... more) {
        Map<String, String> e = TestSettings.publicProcess(rpc.port(), database, folder);
        for (String setting : more) {
            String[] sides = setting.split("=", 2);
            e.put(sides[0], sides[1]);
        }
        return e;
    }

    private PublicProcess process(String... more) {
        ConfigReport report = PrismConfiguration.loader(ProcessRole.PUBLIC).load(environment(more));
        assertThat(report.ok()).as(report.render()).isTrue();
        return new PublicProcess(report.environment(), Optional.of(0), new PoolEvents() {
            @Override
            public void progress(String text) {
                steps.add(text);
            }
        });
    }

    private PublicProcess started(String... more) throws Exception {
        PublicProcess process = process(more);
        assertThat(process.start()).isTrue();
        return process;
    }

    private void makeSchema() {
        LedgerSchema.of(Map.of(), Optional.of(database)).up();
    }

    private HttpResponse<String> get(int port, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(SOON)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static Set<String> poolThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith("prism-") && !name.startsWith("prism-devnode"))
                .collect(Collectors.toSet());
    }

    private void refused(PublicProcess process, String... parts) {
        assertThatThrownBy(process::start).isInstanceOf(StartFailure.class).hasMessageContainingAll(parts);
        process.stop("serve_startup_exit");
    }

    @Test
    void servesThePublicPathsOnlyAndStopsWithoutLeavingPortOrThread() throws Exception {
        makeSchema();
        Set<String> before = poolThreads();
        PublicProcess process = started();
        int port = process.publicPort();

        assertThat(get(port, "/public/v1/pool-summary").statusCode()).isEqualTo(200);
        assertThat(get(port, "/public/v1/pool-summary").headers().firstValue("X-Prism-Staleness-Budget-Seconds"))
                .hasValue("90");
        HttpResponse<String> configuration = get(port, "/public/v1/mining-configuration");
        assertThat(configuration.statusCode()).isEqualTo(200);
        assertThat(configuration.body()).contains(TestSettings.PUBLIC_STRATUM_URL);
        assertThat(get(port, "/").statusCode()).isEqualTo(200);
        for (String path : List.of("/metrics", "/audit/latest", "/healthz", "/livez", "/owed")) {
            assertThat(get(port, path).statusCode()).as(path).isEqualTo(404);
        }
        assertThat(steps).contains("ready");

        process.requestStop(OptionalInt.of(15));
        process.awaitStop();
        process.stop("serve_exit");
        try (ServerSocket next = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(next.isBound()).isTrue();
        }
        await("threads end").atMost(SOON).untilAsserted(() -> assertThat(before).containsAll(poolThreads()));
    }

    @Test
    void aRoleThatMayOnlySelectIsEnough() throws Exception {
        makeSchema();
        execute(
                "DROP ROLE IF EXISTS prism_reader",
                "CREATE ROLE prism_reader LOGIN",
                "GRANT SELECT ON ALL TABLES IN SCHEMA public TO prism_reader");
        try {
            PublicProcess process =
                    started("PRISM_PUBLIC_DATABASE_URL=" + database.replace("postgres@", "prism_reader@"));
            try {
                for (String path : List.of(
                        "pool-summary",
                        "hashrate-series",
                        "leaderboard",
                        "leaderboard?window=reward",
                        "blocks",
                        "fanouts/pending",
                        "miners/nobody",
                        "miners/nobody/earnings",
                        "miners/nobody/payouts",
                        "miners/nobody/workers")) {
                    HttpResponse<String> answer = get(process.publicPort(), "/public/v1/" + path);
                    assertThat(answer.statusCode()).as(path + answer.body()).isEqualTo(200);
                }
            } finally {
                process.stop("test_end");
            }
        } finally {
            execute("DROP OWNED BY prism_reader", "DROP ROLE prism_reader");
        }
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = SharedPostgres.connect(database);
                Statement statement = connection.createStatement()) {
            for (String text : statements) {
                statement.execute(text);
            }
        }
    }

    @Test
    void healthAndMetricsAreShownOnThePrivateListenerIfOneIsConfigured() throws Exception {
        makeSchema();
        int port;
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = any.getLocalPort();
        }
        PublicProcess process = started("PRISM_AUDIT_BIND=127.0.0.1", "PRISM_AUDIT_PORT=" + port);
        try {
            assertThat(get(port, "/healthz").statusCode()).isEqualTo(200);
            assertThat(get(port, "/healthz").body()).contains("\"database_state\":\"available\"");
            assertThat(get(port, "/livez").statusCode()).isEqualTo(200);
            await("the node's calls are counted")
                    .atMost(SOON)
                    .untilAsserted(
                            () -> assertThat(get(port, "/metrics").body())
                                    .containsPattern(
                                            "(?m)^qbit_prism_node_rpc_calls_total\\{method=\"getblockchaininfo\",outcome=\"ok\"} [1-9]"));
            assertThat(get(port, "/public/v1/pool-summary").statusCode()).isEqualTo(404);
        } finally {
            process.stop("test_end");
        }
    }

    @Test
    void aCoordinatorThatLeavesThePublicPathsToThisProcessServesNone() throws Exception {
        Map<String, String> bound = Map.of("PRISM_PUBLIC_API_BIND", "127.0.0.1");
        try (TestCoordinator coordinator = TestCoordinator.startWithoutPublic(folder, bound)) {
            for (String path :
                    List.of("/public/v1/pool-summary", "/public/v1/mining-configuration", "/", "/dashboard")) {
                assertThat(get(coordinator.httpPort(), path).statusCode())
                        .as(path)
                        .isEqualTo(404);
            }
            assertThat(get(coordinator.httpPort(), "/owed").statusCode()).isEqualTo(200);
            assertThatThrownBy(coordinator::publicPort).isInstanceOf(java.util.NoSuchElementException.class);
        }
    }

    @Test
    void aDatabaseThatDoesNotAnswerIsNamedWithItsVariableAndWithoutItsPassword() {
        PublicProcess process = process("PRISM_PUBLIC_DATABASE_URL=postgresql://reader:hunter2@127.0.0.1:1/pool");

        refused(process, "127.0.0.1:1", "PRISM_PUBLIC_DATABASE_URL");
        assertThat(steps.toString()).doesNotContain("hunter2");
    }

    @Test
    void aDatabaseWithoutALedgerIsRefused() {
        refused(process(), "ledger schema is incomplete", "PRISM_PUBLIC_DATABASE_URL");
    }

    @Test
    void aPrimaryIsRefusedWhereAReplicaIsRequired() {
        makeSchema();

        refused(process("PRISM_PUBLIC_REPLICA_MODE=require"), "not in recovery", "PRISM_PUBLIC_REPLICA_MODE=off");
    }

    @Test
    void theCheckOfThisRoleAsksItsNodeAndItsDatabase() throws Exception {
        makeSchema();

        CheckReport good = check();
        assertThat(good.ok()).as(good.text()).isTrue();
        assertThat(good.rows().stream().map(CheckRow::id))
                .contains("qbit.rpc", "qbit.rpc_chain", "qbit.peers", "postgres.ready", "postgres.schema")
                .doesNotContain("qbit.template", "postgres.durability", "postgres.replica", "stratum.tcp");

        CheckReport primary = check("PRISM_PUBLIC_REPLICA_MODE=require");
        assertThat(primary.ok()).isFalse();
        assertThat(primary.text()).contains("postgres.replica", "not in recovery");

        CheckReport gone = check("PRISM_PUBLIC_DATABASE_URL=postgresql://reader@127.0.0.1:1/pool");
        assertThat(gone.text()).contains("FAIL  postgres.ready", "check PRISM_PUBLIC_DATABASE_URL");
    }

    private CheckReport check(String... more) throws InterruptedException {
        return new SelfCheck(environment(more), ProcessRole.PUBLIC, Duration.ofSeconds(10)).run(true, false, Set.of());
    }

    @Test
    void anAuditFolderThatIsNotThereIsNamed() {
        refused(process("PRISM_AUDIT_DIR=" + folder.resolve("nowhere")), "nowhere", "PRISM_AUDIT_DIR");
    }

    @Test
    void aNodeOfAnotherChainIsRefused() {
        makeSchema();

        refused(process("QBIT_EXPECTED_GENESIS_HASH=" + "1".repeat(64)), "QBIT_EXPECTED_GENESIS_HASH", "node at");
    }

    @Test
    void aTakenPortIsNamedAndLeavesNoThread() throws Exception {
        makeSchema();
        Set<String> before = poolThreads();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ConfigReport report = PrismConfiguration.loader(ProcessRole.PUBLIC).load(environment());
            PublicProcess process =
                    new PublicProcess(report.environment(), Optional.of(taken.getLocalPort()), PoolEvents.NONE);

            refused(process, Integer.toString(taken.getLocalPort()), "PRISM_PUBLIC_API_PORT");
        }
        await("threads end").atMost(SOON).untilAsserted(() -> assertThat(before).containsAll(poolThreads()));
    }

    @Test
    void aStopWhileTheNodeIsDownEndsTheStart() throws Exception {
        makeSchema();
        rpc.refuseConnections();
        PublicProcess process = process();
        CompletableFuture<Boolean> start = new CompletableFuture<>();
        Thread starting = new Thread(
                () -> {
                    try {
                        start.complete(process.start());
                    } catch (StartFailure | InterruptedException | RuntimeException failed) {
                        start.completeExceptionally(failed);
                    }
                },
                "test-start");
        starting.setDaemon(true);
        starting.start();
        await("the node wait")
                .atMost(SOON)
                .until(() -> steps.stream().anyMatch(step -> step.startsWith("node: waiting")));

        process.requestStop(OptionalInt.of(15));

        assertThat(start).succeedsWithin(SOON).isEqualTo(false);
        process.stop("serve_startup_exit");
    }
}
