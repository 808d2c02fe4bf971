package org.prismpool.app.composition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.stratum.testing.MinerJob;
import org.prismpool.stratum.testing.StratumTestClient;

/** Herds of miners at a whole coordinator: acceptance 48 and 49 of the Stratum server, in small always and in full size. */
class HerdIT {

    private static final int SETTLED = 8;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String REFUSED = "stratum_connection_limit_rejections_total{scope=\"global\"}";

    @TempDir
    private Path directory;

    private TestCoordinator start(int ceiling, int pending) throws Exception {
        return TestCoordinator.start(
                directory,
                Map.of(
                        "PRISM_STRATUM_MAX_CONNECTIONS", Integer.toString(ceiling),
                        "PRISM_STRATUM_MAX_PENDING_INITIAL_JOBS", Integer.toString(pending)));
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
        try (TestCoordinator pool = start(ceiling, pending)) {
            for (int i = 0; i < SETTLED; i++) {
                StratumTestClient miner = StratumTestClient.connect(pool.stratumPort());
                miner.login(TestCoordinator.ADDRESS + ".settled" + i, "x");
                settled.add(miner);
            }
            for (int i = 0; i < connects - SETTLED; i++) {
                herd.add(connect(pool.stratumPort()));
            }
            await("the surplus to be refused").atMost(LIMIT).until(() -> pool.metric(REFUSED) == connects - ceiling);
            for (int i = 0; i < herd.size(); i++) {
                loginIfAdmitted(herd.get(i), i);
                if (i == ceiling / 2) {
                    pool.node.control().mine(1);
                }
            }
            String tip = pool.node.control().tip().hash().displayHex();
            for (StratumTestClient miner : settled) {
                assertThat(jobOn(miner, tip)).as("a job on the new tip").isTrue();
            }
            await("every admitted connection to be accounted for")
                    .atMost(LIMIT)
                    .until(() ->
                            pool.sum("stratum_authorized_connections", "stratum_initial_job_queue_rejections_total")
                                    == ceiling);
            assertThat(pool.metric(REFUSED)).isEqualTo(connects - ceiling);
            assertThat(pool.metric("stratum_peak_active_connections")).isEqualTo(ceiling);
            await("no first job to be pending")
                    .atMost(LIMIT)
                    .until(() -> pool.metric("stratum_pending_initial_jobs") == 0);
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

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress("127.0.0.1", port), 10_000);
        return socket;
    }

    /** Logs in without waiting for answers; above the ceiling the server has closed the other end. */
    private static void loginIfAdmitted(Socket socket, int number) throws IOException {
        try {
            socket.getOutputStream().write(login(number));
        } catch (SocketException refused) {
            assertThat(socket.isConnected()).as("closed above the ceiling").isTrue();
        }
    }

    private static byte[] login(int number) {
        return ("{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[]}\n{\"id\":2,\"method\":\"mining.authorize\","
                        + "\"params\":[\"" + TestCoordinator.ADDRESS + ".m" + number + "\",\"x\"]}\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void sessionsThatReconnectOnAnUnchangedTipShareOneBuild() throws Exception {
        reconnects(60, Duration.ofSeconds(20));
    }

    @Test
    @Tag("soak")
    void twoHundredAndFiftySessionsReconnectWithinASecond() throws Exception {
        reconnects(250, Duration.ofSeconds(1));
    }

    private void reconnects(int sessions, Duration longest) throws Exception {
        List<StratumTestClient> clients = new ArrayList<>();
        try (TestCoordinator pool = start(sessions + 1, sessions + 1)) {
            try (StratumTestClient first = StratumTestClient.connect(pool.stratumPort())) {
                first.login(TestCoordinator.ADDRESS + ".first", "x");
            }
            await("the first metrics").atMost(LIMIT).until(() -> pool.metric("job_build_starts_total") > 0);
            long builds = pool.metric("job_build_starts_total");
            for (int i = 0; i < sessions; i++) {
                clients.add(StratumTestClient.connect(pool.stratumPort()));
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
            await("the counters").atMost(LIMIT).until(() -> pool.metric("stratum_authorized_connections") == sessions);
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
