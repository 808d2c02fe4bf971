package org.prismpool.stratum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.prismpool.stratum.testing.MinerJob;
import org.prismpool.stratum.testing.StratumTestClient;

/** Clients that are slow, loud or rude on purpose, beside one that works. */
class HostileClientsIT {

    private static final String SUBSCRIBE = "{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[]}\n";
    private static final String AUTHORIZE =
            "{\"id\":2,\"method\":\"mining.authorize\",\"params\":[\"" + WorkedExample.USER + "\",\"x\"]}\n";

    @Test
    void aHandshakeMayArriveByteByByte() throws Exception {
        try (Pool pool = Pool.started(Pool.config(Pool.listener()));
                StratumTestClient miner = pool.connect()) {
            byByte(miner.socket(), SUBSCRIBE + AUTHORIZE);

            assertThat(miner.readLine()).contains("[[], \"00000001\", 8]");
            assertThat(miner.readLine()).contains("\"result\": true");
            assertThat(miner.nextJob().clean()).isTrue();
        }
    }

    @Test
    void aLongLineByteByByteIsReadAndOneByteTooManyCloses() throws Exception {
        try (Pool pool = Pool.started(Pool.config(Pool.listener()));
                StratumTestClient miner = pool.connect()) {
            String open = "{\"id\":1,\"method\":\"mining.extranonce.subscribe\",\"params\":[\"";
            byByte(miner.socket(), open + "a".repeat(16_384 - open.length() - 3) + "\"]}\n");
            assertThat(miner.readLine()).contains("\"result\": true");

            byByte(miner.socket(), "b".repeat(16_385));
            assertThat(miner.readToEnd()).singleElement().asString().contains("line too long");
        }
    }

    private static void byByte(Socket socket, String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        for (byte one : text.getBytes(StandardCharsets.ISO_8859_1)) {
            out.write(one);
        }
    }

    @Test
    void slowSendersLoseTheirSlotsBeforeAuthorizingAndNobodyElseDoes() throws Exception {
        StratumConfig config = Pool.config(Pool.listener())
                .with(ConnectionLimits.defaults()
                        .withCeilings(101, 0, 0)
                        .withTimeouts(Duration.ofSeconds(3), Duration.ofSeconds(20)));
        try (Pool pool = Pool.started(config);
                StratumTestClient miner = pool.connect()) {
            miner.login(WorkedExample.USER, "x");
            List<StratumTestClient> slow = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                StratumTestClient client = pool.connect();
                client.sendRaw(new byte[] {'{'});
                slow.add(client);
            }
            await("all slots to be taken").until(() -> pool.server.stats().activeConnections() == 101);
            for (StratumTestClient client : slow) {
                assertThat(client.readToEnd()).isEmpty();
            }
            await("their slots to be free")
                    .until(() -> pool.metrics.count("disconnected:HANDSHAKE_TIMEOUT") == 100
                            && pool.server.stats().activeConnections() == 1);
            assertThat(miner.request("mining.extranonce.subscribe", "[]")).contains("true");
        }
    }

    @Test
    void endlessLinesAreCutAtTheLimitWhileAMinerIsServed() throws Exception {
        try (Pool pool = Pool.started(Pool.config(Pool.listener()));
                StratumTestClient miner = pool.connect()) {
            MinerJob job = miner.login(WorkedExample.USER, "x");
            byte[] chunk = new byte[8192];
            Arrays.fill(chunk, (byte) 'A');
            for (int i = 0; i < 100; i++) {
                try (StratumTestClient endless = pool.connect()) {
                    endless.sendRaw("{\"id\":1,\"method\":\"".getBytes(StandardCharsets.ISO_8859_1));
                    sendUntilRefused(endless, chunk);
                }
                if (i % 20 == 0) {
                    assertThat(submit(miner, job, i)).containsAnyOf("\"result\": true", "low-difficulty");
                }
            }
            await("the endless to be gone").until(() -> pool.server.stats().activeConnections() == 1);
            await("all to be counted").until(() -> pool.metrics.count("disconnected:LINE_TOO_LONG") == 100);
        }
    }

    private static void sendUntilRefused(StratumTestClient client, byte[] chunk) {
        try {
            for (int i = 0; i < 10_000; i++) {
                client.sendRaw(chunk);
            }
        } catch (IOException closed) {
            return;
        }
        throw new AssertionError("80 MiB without a line end were taken");
    }

    @Test
    void aHugePipelineIsAnsweredCompletelyAndInOrder() throws Exception {
        int submits =
                1800; // half of them are refused: fewer than the budget of refusals, which would slow the test down
        try (Pool pool = Pool.started(Pool.config(Pool.listener()));
                StratumTestClient loud = pool.connect();
                StratumTestClient other = pool.connect()) {
            MinerJob job = loud.login(WorkedExample.USER, "x");
            MinerJob quiet = other.login(WorkedExample.ADDRESS + ".other", "x");
            StringBuilder pipeline = new StringBuilder();
            for (int i = 0; i < submits; i++) {
                pipeline.append("{\"id\":").append(1000 + i).append(",\"method\":\"mining.submit\",\"params\":[\"");
                pipeline.append(String.join(
                        "\",\"", WorkedExample.USER, job.jobId(), String.format("%016x", i), job.ntime(), "00000000"));
                pipeline.append("\"]}\n");
            }
            Thread writer = new Thread(() -> send(loud, pipeline.toString()), "test-pipeline");
            writer.start();
            for (int i = 0; i < submits; i++) {
                assertThat(loud.nextResponse()).startsWith("{\"id\": " + (1000 + i) + ",");
                if (i % 600 == 0) {
                    assertThat(other.submit(
                                    WorkedExample.ADDRESS + ".other",
                                    quiet.jobId(),
                                    String.format("%016x", i),
                                    quiet.ntime(),
                                    "00000000",
                                    java.util.Optional.empty()))
                            .containsAnyOf("\"result\": true", "low-difficulty");
                }
            }
            writer.join(30_000);
            assertThat(pool.metrics.count("submitted")).isEqualTo(submits + 3);
            assertThat(pool.metrics.count("accepted") + pool.metrics.count("low-difficulty"))
                    .isEqualTo(submits + 3);
        }
    }

    private static void send(StratumTestClient client, String text) {
        try {
            client.sendRaw(text.getBytes(StandardCharsets.ISO_8859_1));
        } catch (IOException closed) {
            throw new AssertionError("the pipeline was cut", closed);
        }
    }

    @Test
    void aFloodOfSubmitsWithoutIdentityIsSlowedButLeavesNoTraceInLabelsAndOthersAlone() throws Exception {
        try (Pool pool = Pool.started(Pool.config(Pool.listener()));
                StratumTestClient flood = pool.connect();
                StratumTestClient miner = pool.connect()) {
            MinerJob job = miner.login(WorkedExample.USER, "x");
            String line = "{\"id\":9,\"method\":\"mining.submit\",\"params\":[\"\",\"prism-1\",\"0000000000000000\","
                    + "\"00000000\",\"00000000\"]}\n";
            Thread writer = new Thread(() -> send(flood, line.repeat(1300)), "test-flood");
            writer.start();
            await("the throttle").until(() -> pool.metrics.count("throttled") > 0);
            long start = System.nanoTime();
            for (int i = 0; i < 20; i++) {
                assertThat(submit(miner, job, i)).containsAnyOf("\"result\": true", "low-difficulty");
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));
            for (int i = 0; i < 1300; i++) {
                assertThat(flood.readLine()).contains("unknown-job");
            }
            writer.join(30_000);
            assertThat(pool.metrics.count("unknown-job:-")).isEqualTo(1300);
            assertThat(pool.server.stats().activeConnections())
                    .as("slowed, never closed")
                    .isEqualTo(2);
        }
    }

    @Test
    void probesThatWaitForTheirFirstJobAreServedAndLeaveNothing() throws Exception {
        try (Pool pool = Pool.started(Pool.config(Pool.listener()))) {
            List<Duration> waits = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                try (StratumTestClient probe = pool.connect()) {
                    long start = System.nanoTime();
                    probe.login(WorkedExample.USER, "x");
                    waits.add(Duration.ofNanos(System.nanoTime() - start));
                }
            }
            Collections.sort(waits);
            assertThat(waits.get(50)).as("until the first job").isLessThan(Duration.ofSeconds(1));
            await("all probes to be gone").until(() -> pool.server.stats().activeConnections() == 0);
            assertThat(pool.server.connections()).isEmpty();
            await("all to be counted").until(() -> pool.metrics.count("disconnected:PEER") == 100);
            assertThat(pool.shares.shares).isEmpty();
        }
    }

    @Test
    void aMinerThatSendsOnlyInvalidSharesCostsItsNeighboursBehindOneAddressNothing() throws Exception {
        StratumConfig config =
                Pool.config(Pool.listener()).with(ConnectionLimits.defaults().withCeilings(100, 0, 20));
        try (Pool pool = Pool.started(config);
                StratumTestClient bad = pool.connect()) {
            bad.login(WorkedExample.ADDRESS + ".bad", "x");
            for (int i = 0; i < 50; i++) {
                assertThat(bad.request(
                                "mining.submit", "[\"" + WorkedExample.ADDRESS + ".bad\",\"x\",\"y\",\"z\",\"0\"]"))
                        .contains("invalid-extranonce");
            }
            for (int i = 0; i < 19; i++) {
                StratumTestClient good = pool.connect();
                assertThat(good.login(WorkedExample.ADDRESS + ".w" + i, "x").jobId())
                        .isNotEmpty();
            }
            assertThat(pool.server.stats().activeConnections()).isEqualTo(20);
            assertThat(pool.metrics.count("invalid-extranonce:" + WorkedExample.ADDRESS + ".bad"))
                    .isEqualTo(50);
        }
    }

    private static String submit(StratumTestClient miner, MinerJob job, int number) throws IOException {
        return miner.submit(
                WorkedExample.USER,
                job.jobId(),
                String.format("%016x", number),
                job.ntime(),
                "00000000",
                java.util.Optional.empty());
    }
}
