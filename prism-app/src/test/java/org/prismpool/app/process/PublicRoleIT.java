package org.prismpool.app.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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

/** {@code prism run --role public} beside a coordinator, and when its backends go away. Real processes, node and database. */
@Timeout(240)
class PublicRoleIT {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String SUMMARY = "/public/v1/pool-summary";
    private static final String READER = "prism_reader";

    @TempDir
    private Path folder;

    private final ObjectMapper json = new ObjectMapper();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private EmbeddedDatabase database;
    private DevNode node;
    private DevNodeHttp rpc;

    @BeforeEach
    void startBackends() throws Exception {
        database = EmbeddedDatabase.start(folder.resolve("postgres"));
        node = DevNode.start(DevNodeConfig.forDemo());
        rpc = DevNodeHttp.start(
                DevNodeHttpConfig.onLoopback(TestSettings.RPC_USER, TestSettings.RPC_PASSWORD)
                        .withPort(0),
                node);
    }

    @AfterEach
    void stopEverything() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        rpc.close();
        node.close();
        database.close();
    }

    private <T extends AutoCloseable> T opened(T each) {
        opened.add(0, each);
        return each;
    }

    private ChildPool coordinator() {
        Map<String, String> e = TestSettings.postgres(rpc.port(), database.dsn(), folder);
        e.put("PRISM_STRATUM_SHARE_DIFF", "0.00001");
        return opened(ChildPool.start(e)).awaitReady();
    }

    private CpuMiner miner(ChildPool pool) {
        String address = P2mrAddress.of(Network.REGTEST, new byte[32]).text();
        CpuMiner miner = opened(new CpuMiner(CpuMinerConfig.forPool("127.0.0.1", pool.stratumPort, address + ".rig")
                .withPassword("x")
                .withThreads(1)
                .withHashesPerSecondLimit(400_000)));
        miner.start();
        return miner;
    }

    /** A role that may select and nothing else. */
    private void makeReader() throws Exception {
        String url = "jdbc:" + database.dsn().replace("postgres@", "") + "?user=postgres";
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE ROLE " + READER + " LOGIN");
            statement.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO " + READER);
        }
    }

    private ChildPool publicProcess() {
        Map<String, String> e = TestSettings.publicProcess(
                rpc.port(), database.dsn().replace("postgres@", READER + "@"), folder.resolve("audit"));
        e.put("PRISM_PUBLIC_AGGREGATE_CACHE_TTL_SECONDS", "1"); // 15 s of staleness, the least there is
        e.put("PRISM_PUBLIC_READINESS_PROBE_INTERVAL_SECONDS", "0.5");
        return opened(ChildPool.startPublic(e)).awaitReady();
    }

    /** Work of the last hour, which every accepted share adds to. */
    private BigDecimal work(ChildPool shown) throws Exception {
        HttpResponse<String> answer = shown.get(SUMMARY);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new BigDecimal(
                json.readTree(answer.body()).at("/pool/hashrate_ths/h1").asText("0"));
    }

    @Test
    void showsWhatACoordinatorWritesAndRidesOutTheLossOfNodeAndDatabase() throws Exception {
        ChildPool pool = coordinator();
        makeReader();
        ChildPool shown = publicProcess();
        CpuMiner miner = miner(pool);
        await("shares are shown").atMost(SOON).until(() -> work(shown).signum() > 0);
        BigDecimal some = work(shown);
        await("more shares are shown").atMost(SOON).until(() -> work(shown).compareTo(some) > 0);

        rpc.refuseConnections();
        await("the node is missed").atMost(SOON).until(() -> shown.get(SUMMARY).statusCode() == 503);
        assertThat(shown.get(SUMMARY).body()).contains("upstream_unavailable");
        assertThat(shown.get(SUMMARY).headers().firstValue("X-Prism-Database-State"))
                .isEmpty();
        assertThat(shown.status("/public/v1/blocks")).as("needs no node").isEqualTo(200);
        rpc.acceptConnections();
        await("the node is back").atMost(SOON).until(() -> shown.get(SUMMARY).statusCode() == 200);

        miner.close();
        pool.terminate();
        assertThat(pool.exitCode(SOON)).isZero();
        assertThat(shown.get(SUMMARY).statusCode()).isEqualTo(200);
        database.close();
        await("the last answer is repeated")
                .atMost(SOON)
                .until(() -> shown.get(SUMMARY)
                        .headers()
                        .firstValue("X-Prism-Database-State")
                        .isPresent());
        HttpResponse<String> stale = shown.get(SUMMARY);
        assertThat(stale.statusCode()).isEqualTo(200);
        assertThat(stale.headers().firstValue("Warning"))
                .hasValue("110 qbit-prism \"database unavailable; serving cached response\"");
        assertThat(stale.headers().firstValue("X-Prism-Staleness-Budget-Seconds"))
                .hasValue("15");
        await("its budget ends").atMost(SOON).until(() -> shown.get(SUMMARY).statusCode() == 503);
        HttpResponse<String> refused = shown.get(SUMMARY);
        assertThat(refused.body()).contains("upstream_unavailable");
        assertThat(refused.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(shown.status("/public/v1/mining-configuration")).isEqualTo(200);

        shown.terminate();
        assertThat(shown.exitCode(SOON)).isZero();
        assertThat(shown.events()).startsWith("shutdown_start").endsWith("non_writer_drain");
    }
}
