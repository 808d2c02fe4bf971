package org.prismpool.stratum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.prismpool.stratum.testing.MinerJob;
import org.prismpool.stratum.testing.StratumTestClient;

/** Readers that stop reading: traps 1 and 2, field case 56. */
class SlowReaderIT {

    private static final int HEALTHY = 4;
    private static final int STALLED = 5;
    /** Whoever waited for a stalled reader would wait until that one is dropped. */
    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(3);

    @Test
    void stalledReadersDelayNobodyAndAreDropped() throws Exception {
        StratumConfig config = Pool.config(Pool.listener())
                .with(ConnectionLimits.defaults().withCeilings(200, 0, 0).withTimeouts(Duration.ZERO, SEND_TIMEOUT));
        try (Pool pool = Pool.started(config)) {
            pool.work = WorkedExample.largeWork(2000);
            List<StratumTestClient> healthy = new ArrayList<>();
            for (int i = 0; i < HEALTHY; i++) {
                StratumTestClient miner = pool.connect();
                miner.login(WorkedExample.USER, "x");
                healthy.add(miner);
            }
            List<Socket> stalled = new ArrayList<>();
            for (int i = 0; i < STALLED; i++) {
                stalled.add(stalledMiner(pool.port()));
            }
            await("the stalled ones to be ready")
                    .until(() -> pool.server.stats().authorized() == HEALTHY + STALLED);

            int rounds = 0;
            while (pool.server.stats().activeConnections() == HEALTHY + STALLED) {
                pool.jobs.publish(JobPurpose.SAME_TIP);
                long start = System.nanoTime();
                for (StratumTestClient miner : healthy) {
                    miner.nextJob();
                }
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SEND_TIMEOUT);
                rounds++;
            }
            assertThat(rounds)
                    .as("jobs that a socket buffer takes before it is full")
                    .isGreaterThan(3);
            await("all stalled ones dropped, each with its reason")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> {
                        pool.jobs.publish(JobPurpose.SAME_TIP);
                        for (StratumTestClient miner : healthy) {
                            miner.nextJob();
                        }
                        return pool.metrics.count("disconnected:SLOW_READER") == STALLED;
                    });
            assertThat(pool.server.stats().activeConnections()).isEqualTo(HEALTHY);
            for (Socket socket : stalled) {
                socket.close();
            }
            for (StratumTestClient miner : healthy) {
                miner.close();
            }
        }
    }

    @Test
    void aSilentButHealthyMinerOutlivesTheSendTimeout() throws Exception {
        StratumConfig config = Pool.config(Pool.listener())
                .with(ConnectionLimits.defaults().withTimeouts(Duration.ofSeconds(2), Duration.ofSeconds(1)));
        try (Pool pool = Pool.started(config);
                StratumTestClient miner = pool.connect()) {
            miner.login(WorkedExample.USER, "x");
            assertThat(miner.silentFor(Duration.ofMillis(2500))).isTrue();
            pool.jobs.publish(JobPurpose.SAME_TIP);
            MinerJob job = miner.nextJob();

            assertThat(job.clean()).isFalse();
        }
    }

    /** A miner with a small receive buffer that reads nothing after its login. */
    private static Socket stalledMiner(int port) throws Exception {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress("127.0.0.1", port), 5000);
        String login =
                "{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[]}\n{\"id\":2,\"method\":\"mining.authorize\","
                        + "\"params\":[\"" + WorkedExample.USER + "\",\"x\"]}\n";
        socket.getOutputStream().write(login.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }
}
