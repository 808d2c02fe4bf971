package org.prismpool.app.composition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.app.devnode.DevNode;
import org.prismpool.app.devnode.DevNodeConfig;
import org.prismpool.app.devnode.DevNodeHttp;
import org.prismpool.app.devnode.DevNodeHttpConfig;
import org.prismpool.config.ConfigReport;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.stratum.testing.MinerJob;
import org.prismpool.stratum.testing.StratumTestClient;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;

/** Herds of miners at a whole coordinator: acceptance 48 and 49 of the Stratum server, in small always and in full size. */
class HerdIT {

    private static final String ADDRESS =
            P2mrAddress.of(Network.REGTEST, new byte[P2mrAddress.PROGRAM_SIZE]).text();
    private static final int SETTLED = 8;

    @TempDir
    private Path directory;

    /** A coordinator on a development node of its own. */
    private final class Running implements AutoCloseable {
        final DevNode node = DevNode.start(DevNodeConfig.forDemo());
        final DevNodeHttp http;
        final Coordinator coordinator;
        final HttpClient client = HttpClient.newHttpClient();

        Running(int ceiling, int pending) throws Exception {
            http = DevNodeHttp.start(
                    DevNodeHttpConfig.onLoopback("prism", "secret").withPort(0), node);
            Map<String, String> e = new HashMap<>();
            e.put("QBIT_CHAIN", "regtest");
            e.put("QBIT_RPC_HOST", "127.0.0.1");
            e.put("QBIT_RPC_PORT", Integer.toString(http.port()));
            e.put("QBIT_RPC_USER", "prism");
            e.put("QBIT_RPC_PASSWORD", "secret");
            e.put("PRISM_ALLOW_MEMORY_LEDGER", "1");
            e.put("PRISM_ALLOW_TEST_SIGNING_SEEDS", "1");
            e.put("PRISM_ALLOW_BUNDLE_EMBEDDED_LEDGER_KEY", "1");
            e.put("PRISM_AUDIT_DIR", directory.resolve("audit").toString());
            e.put("PRISM_EVIDENCE_PATH", directory.resolve("evidence.json").toString());
            e.put("PRISM_AUDIT_BIND", "127.0.0.1");
            e.put("PRISM_MIN_READY_MINERS", "1");
            e.put("PRISM_MAX_BLOCKS", "2147483647");
            e.put("PRISM_STOP_AFTER_BLOCK", "0");
            e.put("PRISM_STRATUM_MAX_CONNECTIONS", Integer.toString(ceiling));
            e.put("PRISM_STRATUM_MAX_PENDING_INITIAL_JOBS", Integer.toString(pending));
            ConfigReport report = PrismConfiguration.loader().load(e);
            assertThat(report.ok()).as(report.render()).isTrue();
            coordinator = new Coordinator(
                    report.environment(), new CoordinatorOptions(Optional.of(0), Optional.of(0), 0), PoolEvents.NONE);
            assertThat(coordinator.start()).isTrue();
        }

        StratumTestClient connect() throws IOException {
            return StratumTestClient.connect(coordinator.stratumPort());
        }

        /** The value of one series, or -1 before the first document. */
        long metric(String series) throws IOException, InterruptedException {
            int port = coordinator.httpPort().orElseThrow();
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                    .timeout(Duration.ofSeconds(10))
                    .build();
            String document =
                    client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            return document.lines()
                    .filter(line -> line.startsWith("qbit_prism_" + series + " "))
                    .map(line -> Math.round(Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))))
                    .findFirst()
                    .orElse(-1L);
        }

        @Override
        public void close() {
            coordinator.stop("test_end");
            http.close();
            node.close();
        }
    }

    @Test
    void aHerdAboveEveryLimitDuringARefreshCostsNoMinerItsWork() throws Exception {
        herdDuringARefresh(160, 96, 32);
    }

    @Test
    @Tag("soak")
    void theFullHerdDuringARefreshCostsNoMinerItsWork() throws Exception {
        herdDuringARefresh(640, 384, 128);
    }

    private void herdDuringARefresh(int connects, int ceiling, int pending) throws Exception {
        List<Socket> herd = new ArrayList<>();
        List<StratumTestClient> settled = new ArrayList<>();
        try (Running pool = new Running(ceiling, pending)) {
            for (int i = 0; i < SETTLED; i++) {
                StratumTestClient miner = pool.connect();
                miner.login(ADDRESS + ".settled" + i, "x");
                settled.add(miner);
            }
            for (int i = 0; i < connects - SETTLED; i++) {
                herd.add(loginWithoutWaiting(pool.coordinator.stratumPort(), i));
                if (i == connects / 2) {
                    pool.node.control().mine(1);
                }
            }
            String tip = pool.node.control().tip().hash().displayHex();
            for (StratumTestClient miner : settled) {
                assertThat(jobOn(miner, tip)).as("a job on the new tip").isTrue();
            }
            await("every connection to be accounted for")
                    .atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> pool.metric("stratum_active_connections")
                                    + pool.metric("stratum_connection_limit_rejections_total{scope=\"global\"}")
                                    + pool.metric("stratum_initial_job_queue_rejections_total")
                            == connects);
            assertThat(pool.metric("stratum_connection_limit_rejections_total{scope=\"global\"}"))
                    .isPositive();
            assertThat(pool.metric("stratum_peak_active_connections")).isEqualTo(ceiling);
            await("no first job to be pending").until(() -> pool.metric("stratum_pending_initial_jobs") == 0);
            assertThat(pool.metric("stratum_initial_job_timeouts_total")).isZero();
        } finally {
            for (Socket socket : herd) {
                socket.close();
            }
            for (StratumTestClient miner : settled) {
                miner.close();
            }
        }
    }

    private static boolean jobOn(StratumTestClient miner, String tip) throws IOException {
        while (true) {
            MinerJob job = miner.nextJob();
            if (job.prevhash().equals(wordsOf(tip))) {
                return job.clean();
            }
        }
    }

    /** The display hash's eight 4-byte words in reverse order (spec 02 §5.1). */
    private static String wordsOf(String displayHash) {
        StringBuilder words = new StringBuilder();
        for (int i = 7; i >= 0; i--) {
            words.append(displayHash, 8 * i, 8 * i + 8);
        }
        return words.toString();
    }

    private static Socket loginWithoutWaiting(int port, int number) throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress("127.0.0.1", port), 10_000);
        try {
            socket.getOutputStream().write(login(number));
        } catch (SocketException refused) {
            assertThat(socket.isConnected()).as("closed above the ceiling").isTrue();
        }
        return socket;
    }

    private static byte[] login(int number) {
        return ("{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[]}\n{\"id\":2,\"method\":\"mining.authorize\","
                        + "\"params\":[\"" + ADDRESS + ".m" + number + "\",\"x\"]}\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void sessionsThatReconnectOnAnUnchangedTipShareOneBuild() throws Exception {
        reconnects(60, Duration.ofSeconds(3));
    }

    @Test
    @Tag("soak")
    void twoHundredAndFiftySessionsReconnectWithinASecond() throws Exception {
        reconnects(250, Duration.ofSeconds(1));
    }

    private void reconnects(int sessions, Duration longest) throws Exception {
        List<StratumTestClient> clients = new ArrayList<>();
        try (Running pool = new Running(sessions + 1, sessions + 1)) {
            try (StratumTestClient first = pool.connect()) {
                first.login(ADDRESS + ".first", "x");
            }
            await("the first metrics").until(() -> pool.metric("job_build_starts_total") > 0);
            long builds = pool.metric("job_build_starts_total");
            for (int i = 0; i < sessions; i++) {
                clients.add(pool.connect());
            }
            List<Long> starts = new ArrayList<>();
            for (int i = 0; i < sessions; i++) {
                starts.add(System.nanoTime());
                clients.get(i).sendRaw(login(i));
            }
            List<Long> waits = new ArrayList<>();
            for (int i = 0; i < sessions; i++) {
                StratumTestClient client = clients.get(i);
                client.nextResponse();
                client.nextResponse();
                assertThat(client.nextJob().clean()).isTrue();
                waits.add(System.nanoTime() - starts.get(i));
            }
            Collections.sort(waits);
            assertThat(Duration.ofNanos(waits.get(sessions * 99 / 100))).isLessThan(longest);
            await("the counters").until(() -> pool.metric("stratum_authorized_connections") == sessions);
            assertThat(pool.metric("job_build_starts_total") - builds)
                    .as("builds for the herd")
                    .isLessThanOrEqualTo(1);
        } finally {
            for (StratumTestClient client : clients) {
                client.close();
            }
        }
    }
}
