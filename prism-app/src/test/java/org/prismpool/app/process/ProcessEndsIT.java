package org.prismpool.app.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.app.demo.EmbeddedDatabase;
import org.prismpool.app.demo.miner.CpuMiner;
import org.prismpool.app.demo.miner.CpuMinerConfig;
import org.prismpool.app.devnode.DevNode;
import org.prismpool.app.devnode.DevNodeConfig;
import org.prismpool.app.devnode.DevNodeHttp;
import org.prismpool.app.devnode.DevNodeHttpConfig;
import org.prismpool.app.testing.TestSettings;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;

/** How {@code prism run} ends: by signal, with a writer that hangs, and by its watchdogs. A real node, a real database. */
@Timeout(180)
class ProcessEndsIT {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String LOCK = "LOCK TABLE qbit_share_ledger IN ACCESS EXCLUSIVE MODE";

    @TempDir
    private static Path shared;

    private static EmbeddedDatabase database;
    private static DevNode node;
    private static DevNodeHttp rpc;

    @TempDir
    private Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeAll
    static void startBackends() throws IOException {
        database = EmbeddedDatabase.start(shared.resolve("postgres"));
        node = DevNode.start(DevNodeConfig.forDemo());
        rpc = DevNodeHttp.start(
                DevNodeHttpConfig.onLoopback(TestSettings.RPC_USER, TestSettings.RPC_PASSWORD)
                        .withPort(0),
                node);
    }

    @AfterAll
    static void stopBackends() {
        rpc.close();
        node.close();
        database.close();
    }

    @AfterEach
    void clean() throws Exception {
        node.faults().clear();
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private Map<String, String> environment(String... more) {
        Map<String, String> e = TestSettings.postgres(rpc.port(), database.dsn(), folder);
        e.put("PRISM_STRATUM_SHARE_DIFF", "0.00001");
        for (String setting : more) {
            String[] sides = setting.split("=", 2);
            e.put(sides[0], sides[1]);
        }
        return e;
    }

    private ChildPool start(String... more) {
        ChildPool pool = ChildPool.start(environment(more));
        opened.add(0, pool);
        return pool;
    }

    private CpuMiner miner(ChildPool pool) {
        String address = P2mrAddress.of(Network.REGTEST, new byte[32]).text();
        CpuMiner miner = new CpuMiner(CpuMinerConfig.forPool("127.0.0.1", pool.stratumPort, address + ".rig")
                .withPassword("x")
                .withThreads(1)
                .withHashesPerSecondLimit(400_000));
        opened.add(0, miner);
        miner.start();
        return miner;
    }

    private static Connection connect() throws SQLException {
        String url = "jdbc:" + database.dsn().replace("postgres@", "") + "?user=postgres";
        return DriverManager.getConnection(url);
    }

    private static long number(String query) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static boolean leaseActive() throws SQLException {
        return number("SELECT count(*) FROM qbit_ledger_writer_lease WHERE lease_expires_at > clock_timestamp()") == 1;
    }

    @Test
    void aSignalUnderLoadKeepsEveryAcknowledgedShareReleasesTheLeaseAndExitsWithZero() throws Exception {
        ChildPool pool = start().awaitLine("http: listening");
        Set<Integer> statuses = new TreeSet<>();
        await("health").atMost(SOON).pollInterval(Duration.ofMillis(100)).until(() -> {
            statuses.add(pool.status("/healthz"));
            return statuses.contains(200);
        });
        assertThat(statuses).isSubsetOf(200, 503);
        assertThat(pool.events()).isEmpty();
        CpuMiner miner = miner(pool);
        await("shares").atMost(SOON).until(() -> miner.stats().accepted() > 30);

        pool.terminate();
        pool.terminate();

        assertThat(pool.exitCode(SOON)).as(pool.text()).isZero();
        assertThat(leaseActive()).isFalse();
        assertThat(number("SELECT count(*) FROM qbit_share_ledger"))
                .isGreaterThanOrEqualTo(miner.stats().accepted());
        assertThat(pool.events())
                .containsExactly(
                        "shutdown_start",
                        "writer_quiescence",
                        "lease_release_attempt",
                        "lease_release",
                        "non_writer_drain");
        assertThat(pool.text())
                .contains("\"reason\":\"serve_exit\",\"signal\":15", "\"outcome\":\"success\",\"released\":true")
                .doesNotContain("secret");
    }

    @Test
    @Tag("soak")
    void aCommitInFlightIsAcknowledgedBeforeTheLeaseGoes() throws Exception {
        ChildPool pool = start().awaitReady();
        CpuMiner miner = miner(pool);
        await("shares").atMost(SOON).until(() -> miner.stats().accepted() > 0);
        long before;
        try (Connection blocking = lockShares()) {
            before = miner.stats().accepted();
            awaitUnanswered(miner);
            pool.terminate();
            pool.awaitLine("shutdown_start");
            assertThat(pool.contains("lease_release")).isFalse();
            blocking.rollback();
        }

        assertThat(pool.exitCode(SOON)).as(pool.text()).isZero();
        assertThat(miner.stats().accepted()).isGreaterThan(before);
        assertThat(leaseActive()).isFalse();
        assertThat(pool.events()).containsSubsequence("shutdown_start", "writer_quiescence", "lease_release");
    }

    @Test
    void aWriterThatHangsKeepsTheLeaseAndTheExitIsStillZero() throws Exception {
        ChildPool pool = start("PRISM_WRITER_QUIESCENCE_TIMEOUT_SECONDS=1").awaitReady();
        CpuMiner miner = miner(pool);
        await("shares").atMost(SOON).until(() -> miner.stats().accepted() > 0);
        try (Connection blocking = lockShares()) {
            awaitUnanswered(miner);
            pool.terminate();

            assertThat(pool.exitCode(SOON)).as(pool.text()).isZero();
            assertThat(leaseActive()).isTrue();
            blocking.rollback();
        }
        assertThat(pool.text())
                .contains("\"component\":\"share_persistence\",\"event\":\"lease_release_withheld\","
                        + "\"reason\":\"writer_quiescence_timeout\"");
        assertThat(pool.events()).doesNotContain("lease_release", "lease_release_attempt");
    }

    private static Connection lockShares() throws SQLException {
        Connection blocking = connect();
        blocking.setAutoCommit(false);
        try (Statement statement = blocking.createStatement()) {
            statement.execute(LOCK);
        }
        return blocking;
    }

    private static void awaitUnanswered(CpuMiner miner) {
        await("a submit without an answer")
                .atMost(SOON)
                .during(Duration.ofMillis(300))
                .until(() -> miner.stats().submitted()
                        > miner.stats().accepted() + miner.stats().rejectedTotal());
    }

    @Test
    void aDatabaseThatHangsEndsTheProcessAndTheLeaseIsLeftToItsLifetime() throws Exception {
        ChildPool pool = start().awaitReady();
        List<String> processes = Stream.concat(
                        Stream.of(postmaster()), postmaster().children())
                .map(process -> Long.toString(process.pid()))
                .toList();
        signal("-STOP", processes);
        try {
            // 0.8 s of silence and 0.1 s for the release; the rest is this machine
            assertThat(pool.exitCode(Duration.ofSeconds(10))).as(pool.text()).isOne();
        } finally {
            signal("-CONT", processes);
        }
        assertThat(leaseActive()).isTrue();
        assertThat(pool.text()).contains("writer lease lost");
        assertThat(pool.events()).doesNotContain("lease_release");
    }

    @Test
    @Tag("soak")
    void connectionsThatHangEndTheProcessAndTheLeaseGoesOverAFreshOneOrIsLeftToItsLifetime() throws Exception {
        ChildPool pool = start().awaitReady();
        List<String> backends = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT pid FROM pg_stat_activity"
                        + " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()")) {
            while (rows.next()) {
                backends.add(rows.getString(1));
            }
        }
        signal("-STOP", backends);
        boolean active;
        try {
            assertThat(pool.exitCode(Duration.ofSeconds(10))).as(pool.text()).isOne();
            active = leaseActive();
        } finally {
            signal("-CONT", backends);
        }
        boolean released = pool.contains("\"lease_release_outcome\":\"success\"");
        assertThat(active).isEqualTo(!released);
    }

    @Test
    void aNodeThatHangsEndsTheProcessAndTheLeaseGoesOverAFreshConnection() throws Exception {
        ChildPool pool = start(
                        "PRISM_TEMPLATE_REFRESH_FAILURE_EXIT_SECONDS=8",
                        "PRISM_QBIT_RPC_TIMEOUT_SECONDS=1",
                        "PRISM_BLOCKPOLL_SECONDS=1",
                        "PRISM_WATCHDOG_INTERVAL_SECONDS=1")
                .awaitReady();
        node.faults().hold("*");

        assertThat(pool.exitCode(SOON)).as(pool.text()).isOne();

        assertThat(leaseActive()).isFalse();
        assertThat(pool.text())
                .containsPattern("\"reason\":\"(refresh_failure|publication)\"")
                .contains("\"lease_release_outcome\":\"success\"", "lease_handled=true");
    }

    @Test
    void aSignalDuringTheLeaseWaitLeavesTheHolderAlone() throws Exception {
        ChildPool holder = start().awaitReady();
        ChildPool standby = start().awaitLine("lease: ");
        assertThat(standby.contains("step=\"stratum: listening")).isFalse();

        standby.terminate();

        assertThat(standby.exitCode(SOON)).as(standby.text()).isZero();
        assertThat(holder.alive()).isTrue();
        assertThat(leaseActive()).isTrue();
        assertThat(standby.text()).contains("\"outcome\":\"unsupported\"");
        holder.terminate();
        assertThat(holder.exitCode(SOON)).isZero();
    }

    @Test
    @Tag("soak")
    void aStandbyThatWaitedLongerThanAnyBudgetTakesOverAndLives() throws Exception {
        ChildPool holder = start().awaitReady();
        String budget = "PRISM_TEMPLATE_REFRESH_FAILURE_EXIT_SECONDS=15";
        ChildPool standby = start(budget, "PRISM_WATCHDOG_INTERVAL_SECONDS=1").awaitLine("lease: ");
        await("longer than the budget")
                .pollDelay(Duration.ofSeconds(16))
                .atMost(SOON)
                .until(standby::alive);

        holder.terminate();
        standby.awaitReady();

        await("a few looks of the watchdog").pollDelay(Duration.ofSeconds(3)).until(standby::alive);
        standby.terminate();
        assertThat(standby.exitCode(SOON)).as(standby.text()).isZero();
    }

    @Test
    @Tag("soak")
    void aSignalWhileTheNodeIsDownFreesThePorts() throws Exception {
        ChildPool pool = start("QBIT_RPC_PORT=1").awaitLine("node: waiting");

        pool.terminate();

        assertThat(pool.exitCode(SOON)).as(pool.text()).isZero();
        try (ServerSocket next = new ServerSocket(pool.stratumPort, 1, InetAddress.getLoopbackAddress())) {
            assertThat(next.isBound()).isTrue();
        }
        assertThat(leaseActive()).isFalse();
    }

    private static ProcessHandle postmaster() throws IOException {
        String pid =
                Files.readAllLines(shared.resolve("postgres/postmaster.pid")).get(0);
        return ProcessHandle.of(Long.parseLong(pid.strip())).orElseThrow();
    }

    private static void signal(String signal, List<String> processes) throws Exception {
        List<String> command = new ArrayList<>(List.of("kill", signal));
        command.addAll(processes);
        Process kill = new ProcessBuilder(command).inheritIO().start();
        assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }
}
