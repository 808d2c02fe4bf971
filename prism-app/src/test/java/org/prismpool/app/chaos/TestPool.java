package org.prismpool.app.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.prismpool.app.composition.Coordinator;
import org.prismpool.app.composition.CoordinatorOptions;
import org.prismpool.app.composition.PoolEvents;
import org.prismpool.app.devnode.DevNode;
import org.prismpool.app.devnode.DevNodeConfig;
import org.prismpool.app.devnode.DevNodeHttp;
import org.prismpool.app.devnode.DevNodeHttpConfig;
import org.prismpool.config.ConfigReport;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;
import org.prismpool.templates.chain.Transaction;

/** A development node, a database and the whole coordinator over them, which a test breaks on purpose and starts again. */
final class TestPool implements AutoCloseable {

    static final String RPC_USER = "prism";
    static final String RPC_PASSWORD = "for-tests-only";
    static final String MINER_A =
            P2mrAddress.ofProgramHex(Network.REGTEST, "a1".repeat(32)).text();
    static final String MINER_B =
            P2mrAddress.ofProgramHex(Network.REGTEST, "b2".repeat(32)).text();

    private static final String LEDGER_SEED = "22".repeat(32);
    static final String LEDGER_KEY = SigningSeed.ofHex(LEDGER_SEED).publicKeyHex();

    final Books books;
    private final DevNodeConfig nodeConfig;
    private DevNode node;
    private DevNodeHttp http;
    final Set<String> acknowledged = new LinkedHashSet<>();
    private final Map<String, String> environment = new HashMap<>();
    private Optional<Coordinator> coordinator = Optional.empty();
    private Optional<TestMiner> miner = Optional.empty();

    /** A pool whose node keeps its chain in memory. */
    TestPool(SharedPostgres.Server postgres, Path directory) throws IOException, SQLException {
        this(postgres, directory, DevNodeConfig.forTests());
    }

    TestPool(SharedPostgres.Server postgres, Path directory, DevNodeConfig nodeConfig)
            throws IOException, SQLException {
        this.nodeConfig = nodeConfig;
        this.node = DevNode.start(nodeConfig);
        node.control().mine(1); // a fresh tip, or the node counts as downloading
        this.http = front(node, 0);
        String dsn = postgres.freshDatabase();
        this.books = new Books(dsn, chain(), directory.resolve("audit"), LEDGER_KEY);
        environment.putAll(settings(dsn, directory));
        set("QBIT_RPC_HOST", "127.0.0.1");
        set("QBIT_RPC_PORT", Integer.toString(http.port()));
        set("QBIT_RPC_USER", RPC_USER);
        set("QBIT_RPC_PASSWORD", RPC_PASSWORD);
    }

    /** What a pool of these tests needs besides its node. */
    static Map<String, String> settings(String dsn, Path directory) {
        Map<String, String> settings = new HashMap<>();
        settings.put("QBIT_CHAIN", "regtest");
        settings.put("PRISM_DATABASE_URL", dsn);
        settings.put("PRISM_POSTGRES_INIT_SCHEMA", "1");
        settings.put("PRISM_LEDGER_WRITER_ID", "chaos");
        settings.put("PRISM_LEDGER_WRITER_EPOCH", "1");
        settings.put("PRISM_LEDGER_WRITER_SESSION_TOKEN", "0123456789abcdef0123456789abcdef");
        settings.put("PRISM_ALLOW_FIXED_LEDGER_SESSION_TOKEN", "1");
        settings.put("PRISM_MANIFEST_SIGNING_SEED_HEX", "11".repeat(32));
        settings.put("PRISM_LEDGER_ATTESTATION_SIGNING_SEED_HEX", LEDGER_SEED);
        settings.put("PRISM_LEDGER_WRITER_PUBLIC_KEY_HEX", LEDGER_KEY);
        settings.put("PRISM_AUDIT_DIR", directory.resolve("audit").toString());
        settings.put(
                "PRISM_EVIDENCE_PATH", directory.resolve("audit/evidence.json").toString());
        settings.put("PRISM_MIN_READY_MINERS", "1");
        settings.put("PRISM_MAX_BLOCKS", "2147483647");
        settings.put("PRISM_STOP_AFTER_BLOCK", "0");
        settings.put("PRISM_STRATUM_BIND", "127.0.0.1");
        settings.put("PRISM_BLOCKPOLL_SECONDS", "0.5");
        return settings;
    }

    /** The node of the moment: a test may start another one on the same data. */
    private Books.Chain chain() {
        return new Books.Chain() {
            @Override
            public boolean isActive(Hash256 hash) {
                return node().control().isActive(hash);
            }

            @Override
            public Transaction coinbase(Hash256 hash) {
                return node().control().block(hash).orElseThrow().coinbase();
            }
        };
    }

    static DevNodeHttp front(DevNode node, int port) throws IOException {
        return DevNodeHttp.start(
                DevNodeHttpConfig.onLoopback(RPC_USER, RPC_PASSWORD).withPort(port), node);
    }

    /** Address of a further node, with credentials. */
    static String url(DevNodeHttp front) {
        return "http://" + RPC_USER + ":" + RPC_PASSWORD + "@127.0.0.1:" + front.port();
    }

    DevNode node() {
        return node;
    }

    DevNodeHttp http() {
        return http;
    }

    /** Stops the node, calls under way and all, and starts it again on its data and its port. */
    void restartNode() throws IOException {
        int port = http.port();
        http.refuseConnections();
        node.close();
        http.close();
        node = DevNode.start(nodeConfig);
        http = front(node, port);
    }

    TestPool set(String name, String value) {
        environment.put(name, value);
        return this;
    }

    Map<String, String> environment() {
        return environment;
    }

    TestPool start() throws Exception {
        coordinator = Optional.of(coordinator(environment));
        assertThat(coordinator().start()).isTrue();
        return this;
    }

    /** Makes a coordinator with free ports; it is not started yet. */
    static Coordinator coordinator(Map<String, String> environment) {
        ConfigReport report = PrismConfiguration.loader().load(environment);
        assertThat(report.ok()).as(report.render()).isTrue();
        return new Coordinator(
                report.environment(), new CoordinatorOptions(Optional.of(0), Optional.of(0), 0), PoolEvents.NONE);
    }

    Coordinator coordinator() {
        return coordinator.orElseThrow();
    }

    void stop() {
        miner.ifPresent(TestMiner::close);
        miner = Optional.empty();
        coordinator.ifPresent(running -> {
            running.requestStop(OptionalInt.empty());
            running.stop("test");
        });
        coordinator = Optional.empty();
    }

    void restart() throws Exception {
        stop();
        start();
    }

    TestMiner miner() throws IOException {
        if (miner.isEmpty()) {
            miner = Optional.of(connect(MINER_A + ".rig"));
        }
        return miner.get();
    }

    TestMiner connect(String username) throws IOException {
        return new TestMiner(coordinator().stratumPort(), username);
    }

    Hash256 tip() {
        return node.control().tip().hash();
    }

    /** Finds a block on the newest job and waits for the miner's answer, not for the node's. */
    Hash256 find() throws IOException {
        return submit(miner().solve(miner().awaitJobOn(tip())));
    }

    Hash256 submit(TestMiner.Solve solve) throws IOException {
        JsonNode answer = miner().submitted(solve);
        assertThat(answer.path("result").asBoolean()).as(answer.toString()).isTrue();
        acknowledged.add(miner().shareId(solve));
        return solve.hash();
    }

    /** Finds a block and waits until its books are closed. */
    Hash256 land() throws Exception {
        Hash256 hash = find();
        settled(hash, "submitted");
        return hash;
    }

    void settled(Hash256 hash, String state) {
        await("outbox row " + state)
                .atMost(TestMiner.PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> books.outboxState(hash).equals(state));
    }

    void chainState(Hash256 hash, String state) {
        await("block row " + state)
                .atMost(TestMiner.PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> books.chainState(hash).equals(state));
    }

    /** The end of every scenario: nothing lost, nothing paid twice, all of it provable. */
    void assertBooksHold() throws Exception {
        books.assertConsistent(acknowledged);
    }

    @Override
    public void close() throws SQLException {
        stop();
        http.close();
        node.close();
        books.close();
    }
}
