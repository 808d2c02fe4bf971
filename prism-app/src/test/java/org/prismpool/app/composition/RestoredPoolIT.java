package org.prismpool.app.composition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
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
import org.prismpool.payout.finalization.CandidateIntent;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;

/** A pool's files are copied away, restored elsewhere, looked over by the drill, and taken over with a raised epoch. */
@Timeout(300)
class RestoredPoolIT {

    private static final Duration SOON = Duration.ofSeconds(90);
    private static final String MINER =
            P2mrAddress.of(Network.REGTEST, new byte[32]).text();

    @TempDir
    Path folder;

    private final AtomicReference<String> found = new AtomicReference<>("");

    @Test
    void aRestoredPoolPassesItsDrillAndGoesOnWithARaisedEpoch() throws Exception {
        try (DevNode node = DevNode.start(DevNodeConfig.forDemo());
                DevNodeHttp rpc = DevNodeHttp.start(
                        DevNodeHttpConfig.onLoopback(TestSettings.RPC_USER, TestSettings.RPC_PASSWORD)
                                .withPort(0),
                        node)) {
            Path lost = folder.resolve("lost");
            try (EmbeddedDatabase database = EmbeddedDatabase.start(lost.resolve("postgres"))) {
                mineABlock(settings(rpc.port(), database, lost, 1));
            }
            String block = found.get();

            Path restored = folder.resolve("restored");
            copy(lost, restored);
            try (EmbeddedDatabase database = EmbeddedDatabase.start(restored.resolve("postgres"))) {
                RestoreDrill.Report whole = drill(database, restored);
                assertThat(whole.findings()).isEmpty();
                assertThat(whole.ledger().bundledBlocks()).contains(block);
                assertThat(whole.bodies())
                        .isEqualTo(whole.ledger().bundledBlocks().size());

                mineABlock(settings(rpc.port(), database, restored, 2));
                RestoreDrill.Report later = drill(database, restored);
                assertThat(later.findings()).isEmpty();
                assertThat(later.ledger().bundledBlocks()).contains(block, found.get());
                assertThat(later.ledger().highestShareSeq())
                        .isGreaterThan(whole.ledger().highestShareSeq());
                assertThat(ask(database, "SELECT max(writer_epoch) FROM qbit_share_ledger"))
                        .isEqualTo("2");

                sharesThatTheRestoreLostAreFound(database, restored);
            }
        }
    }

    /** As if the copy of the database were older than that of the audit files. */
    private static void sharesThatTheRestoreLostAreFound(EmbeddedDatabase database, Path files) throws Exception {
        ask(
                database,
                "SET session_replication_role = replica;" // a share may be linked to its block candidate
                        + " DELETE FROM qbit_share_ledger WHERE writer_epoch = 1 RETURNING share_seq");
        assertThat(drill(database, files).findings())
                .anyMatch(finding ->
                        finding.matches("block .*: the ledger lacks [1-9][0-9]* shares that its audit body counts"));
    }

    private Map<String, String> settings(int rpcPort, EmbeddedDatabase database, Path files, int epoch) {
        Map<String, String> settings = TestSettings.postgres(rpcPort, database.dsn(), files);
        settings.put("PRISM_STRATUM_SHARE_DIFF", "0.0001");
        settings.put("PRISM_LEDGER_WRITER_EPOCH", Integer.toString(epoch));
        // The first pool only collects: the one share that its body counts was never a row, and the drill must know
        // that.
        settings.put("PRISM_MIN_READY_MINERS", epoch == 1 ? "100" : "1");
        return settings;
    }

    private void mineABlock(Map<String, String> settings) throws Exception {
        ConfigReport report = PrismConfiguration.loader().load(settings);
        assertThat(report.errors()).isEmpty();
        found.set("");
        Coordinator coordinator = new Coordinator(
                report.environment(), new CoordinatorOptions(Optional.of(0), Optional.of(0), 0), new PoolEvents() {
                    @Override
                    public void blockAccounted(CandidateIntent intent, long publicationSequence) {
                        found.set(intent.solution().hash().displayHex());
                    }
                });
        assertThat(coordinator.start()).isTrue();
        try (CpuMiner miner =
                new CpuMiner(CpuMinerConfig.forPool("127.0.0.1", coordinator.stratumPort(), MINER + ".rig")
                        .withPassword("x")
                        .withThreads(1))) {
            miner.start();
            await("a block").atMost(SOON).until(() -> !found.get().isEmpty());
        } finally {
            coordinator.stop("test_end");
        }
    }

    private static void copy(Path from, Path to) throws Exception {
        Process copy = new ProcessBuilder("cp", "-a", from.toString(), to.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(copy.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(copy.waitFor()).as(said).isZero();
    }

    private static RestoreDrill.Report drill(EmbeddedDatabase database, Path files) {
        return RestoreDrill.of(Map.of(), Optional.of(database.dsn()), Optional.of(files.resolve("audit")))
                .run();
    }

    private static String ask(EmbeddedDatabase database, String sql) throws Exception {
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:" + database.dsn().replace("postgres@", "") + "?user=postgres");
                Statement statement = connection.createStatement()) {
            boolean rows = statement.execute(sql);
            while (!rows) {
                rows = statement.getMoreResults();
            }
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                return row.getString(1);
            }
        }
    }
}
