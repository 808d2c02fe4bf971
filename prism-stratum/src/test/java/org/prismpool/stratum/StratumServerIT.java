package org.prismpool.stratum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.CancelledException;
import org.prismpool.stratum.testing.MinerJob;
import org.prismpool.stratum.testing.StratumTestClient;

/** The server over real sockets: acceptance 1 to 13, 22 and the transport's traps. */
class StratumServerIT {

    /** The first connection gets the extranonce1 of the worked example. */
    private static final JobPolicy AS_42 = new JobPolicy(8, 41, 1L << 32, "", JobPolicy.DEFAULT_VERSION_MASK, true);

    private static final Duration NO_TIME = Duration.ZERO;

    @Test
    void aMinerConnectsGetsAJobAndItsShareIsAcknowledgedOnceDurable() throws Exception {
        try (Pool pool = Pool.started(Pool.config(Pool.listener()).with(AS_42));
                StratumTestClient miner = pool.connect()) {
            MinerJob job = miner.login(WorkedExample.USER, "x");
            assertThat(job.clean()).isTrue();
            assertThat(job.bits()).isEqualTo("207fffff");

            pool.shares.hold();
            long id = miner.send("mining.submit", submitParams(job.jobId(), "1a2b3c51"));
            await("the commit to be asked for").until(() -> pool.shares.heldCommits() == 1);
            assertThat(miner.silentFor(Duration.ofMillis(50))).isTrue();
            pool.shares.release();

            assertThat(miner.response(id)).contains("\"result\": true");
            assertThat(pool.shares.shares).hasSize(1);
            await("the acknowledgement to be counted").until(() -> pool.metrics.count("ack:accepted") == 1);
        }
    }

    @Test
    void linesMayBeBlankOrEndWithCarriageReturn() throws Exception {
        try (Pool pool = Pool.started(Pool.config(Pool.listener()));
                StratumTestClient miner = pool.connect()) {
            miner.sendRaw(ascii("\n\r\n  \n{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[]}\r\n"));

            assertThat(miner.readLine()).isEqualTo("{\"id\": 1, \"result\": [[], \"00000001\", 8], \"error\": null}");
            assertThat(miner.silentFor(Duration.ofMillis(50))).isTrue();
        }
    }

    @Test
    void bytesThatAreNoUtf8CloseTheConnectionWithoutAnswer() throws Exception {
        try (Pool pool = Pool.started(Pool.config(Pool.listener()));
                StratumTestClient miner = pool.connect()) {
            miner.sendRaw(new byte[] {'{', (byte) 0xff, (byte) 0xfe, '}', '\n'});

            assertThat(miner.readToEnd()).isEmpty();
            await("the reason").until(() -> pool.metrics.count("disconnected:NOT_UTF8") == 1);
        }
    }

    @Test
    void aLineBeyondTheLimitIsAnsweredAndCloses() throws Exception {
        try (Pool pool = Pool.started(Pool.config(Pool.listener()));
                StratumTestClient unended = pool.connect();
                StratumTestClient ended = pool.connect()) {
            unended.sendRaw(ascii("{\"id\":1,\"method\":\"" + "A".repeat(16400)));
            ended.sendRaw(ascii("A".repeat(16385) + "\n"));

            String answer = "{\"id\": null, \"result\": null, \"error\": [20, \"line too long\", null]}";
            assertThat(unended.readToEnd()).containsExactly(answer);
            assertThat(ended.readToEnd()).containsExactly(answer);
            await("both closed").until(() -> pool.metrics.count("disconnected:LINE_TOO_LONG") == 2);
        }
    }

    @Test
    void aLineOfExactlyTheLimitIsHandled() throws Exception {
        try (Pool pool = Pool.started(Pool.config(Pool.listener()));
                StratumTestClient miner = pool.connect()) {
            String start = "{\"id\":7,\"method\":\"";
            miner.sendLine(start + "m".repeat(16384 - start.length() - 2) + "\"}");

            assertThat(miner.readLine())
                    .startsWith("{\"id\": 7, \"result\": null, \"error\": [20, \"unsupported method");
        }
    }

    @Test
    void foreignProtocolsAreClosedAtOnceWithoutAnswer() throws Exception {
        List<byte[]> openings = List.of(
                new byte[] {0x16, 0x03, 0x01, 0x00, (byte) 0xa5, 0x01},
                ascii("GET / HTTP/1.1\r\nHost: pool.example\r\n\r\n"),
                ascii("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n{\"a\"}"),
                ascii("PROXY TCP4 203.0.113.7 192.0.2.1 56324 3340\r\n"),
                ascii("PROXY UNKNOWN\r\n"));
        try (Pool pool = Pool.started(Pool.config(Pool.listener()))) {
            for (byte[] opening : openings) {
                try (StratumTestClient probe = pool.connect()) {
                    probe.sendRaw(opening);
                    assertThat(probe.readToEnd()).isEmpty();
                }
            }
            await("all counted").until(() -> pool.metrics.count("disconnected:FOREIGN_PROTOCOL") == openings.size());
            await("all places free").until(() -> pool.server.stats().activeConnections() == 0);
        }
    }

    @Test
    void tooManyMalformedLinesInARowCloseTheConnection() throws Exception {
        try (Pool pool = Pool.started(Pool.config(Pool.listener()));
                StratumTestClient miner = pool.connect()) {
            miner.sendRaw(ascii("x\n".repeat(99) + "{\"id\":1,\"method\":\"mining.ping\"}\n" + "x\n".repeat(100)));

            assertThat(miner.readToEnd()).hasSize(200);
            await("the reason").until(() -> pool.metrics.count("disconnected:ERROR_BUDGET") == 1);
        }
    }

    @Test
    void theCeilingHoldsOverAllListenersAndFreesItsPlaces() throws Exception {
        StratumConfig config = Pool.config(Pool.listener(), Pool.highDifficulty())
                .with(ConnectionLimits.defaults().withCeilings(2, 0, 0));
        try (Pool pool = Pool.started(config)) {
            int high = pool.server.port("highdiff").orElseThrow();
            StratumTestClient first = pool.connect();
            first.request("mining.subscribe", "[]");
            StratumTestClient second = StratumTestClient.connect(high);
            second.request("mining.subscribe", "[]");
            assertThat(StratumTestClient.connect(high).readToEnd()).isEmpty();
            assertThat(pool.connect().readToEnd()).isEmpty();
            assertThat(pool.metrics.count("refused:GLOBAL")).isEqualTo(2);

            first.close();
            await("the place to be free").until(() -> pool.server.stats().activeConnections() == 1);
            try (StratumTestClient third = pool.connect()) {
                assertThat(third.request("mining.subscribe", "[]")).contains("\"00000003\"");
            }
            second.close();
            assertThat(pool.server.stats().peakConnections()).isEqualTo(2);
        }
    }

    @Test
    void connectionsMadeBeforeTheStartAreServedAfterIt() throws Exception {
        try (Pool pool = new Pool(Pool.config(Pool.listener()))) {
            pool.tips.publish(WorkedExample.parent());
            pool.server.bind(CancelSignal.never());
            try (StratumTestClient early = pool.connect()) {
                long id = early.send("mining.subscribe", "[]");
                assertThat(early.silentFor(Duration.ofMillis(100))).isTrue();
                pool.server.start();
                assertThat(early.response(id)).contains("\"00000001\"");
            }
        }
    }

    @Test
    void aPortInUseIsTriedAgainUntilItIsFree() throws Exception {
        ServerSocket blocker = new ServerSocket(0);
        ListenerConfig listener = ListenerConfig.plain(
                "0.0.0.0",
                blocker.getLocalPort(),
                Pool.listener().fixedDifficulty(),
                Pool.policy("0.000000001", "1024"));
        try (Pool failing =
                new Pool(Pool.config(listener).with(ConnectionLimits.defaults().withBindRetry(NO_TIME)))) {
            assertThatThrownBy(() -> failing.server.bind(CancelSignal.never()))
                    .isInstanceOf(UncheckedIOException.class);
        }
        Thread opener = new Thread(() -> close(blocker));
        try (Pool pool = new Pool(Pool.config(listener))) {
            opener.start();
            pool.server.bind(CancelSignal.never());
            assertThat(pool.server.port("default")).hasValue(listener.port());
        }
        opener.join();
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Test
    void aShutdownRequestEndsTheBindRetry() throws Exception {
        try (ServerSocket blocker = new ServerSocket(0)) {
            ListenerConfig listener = ListenerConfig.plain(
                    "0.0.0.0",
                    blocker.getLocalPort(),
                    Pool.listener().fixedDifficulty(),
                    Pool.policy("0.000000001", "1024"));
            CancelSource cancel = new CancelSource();
            try (Pool pool = new Pool(Pool.config(listener))) {
                Thread canceller = new Thread(() -> cancel.cancel("shutdown"));
                canceller.start();
                assertThatThrownBy(() -> pool.server.bind(cancel)).isInstanceOf(CancelledException.class);
                canceller.join();
            }
        }
    }

    @Test
    void extranoncesAreUniqueOverListeners() throws Exception {
        try (Pool pool = Pool.started(Pool.config(Pool.listener(), Pool.highDifficulty()))) {
            Set<String> seen = new HashSet<>();
            List<StratumTestClient> clients = new ArrayList<>();
            for (int i = 0; i < 42; i++) {
                String listener = i % 2 == 0 ? "default" : "highdiff";
                StratumTestClient client =
                        StratumTestClient.connect(pool.server.port(listener).orElseThrow());
                clients.add(client);
                seen.add(client.request("mining.subscribe", "[]").substring(26, 34));
            }
            assertThat(seen).hasSize(42).contains("00000001", "0000002a");
            for (StratumTestClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void aShutdownIsAnsweredWithItsReasonAndCloses() throws Exception {
        try (Pool pool = Pool.started(Pool.config(Pool.listener()));
                StratumTestClient miner = pool.connect()) {
            MinerJob job = miner.login(WorkedExample.USER, "x");
            pool.shuttingDown = true;
            long id = miner.send("mining.submit", submitParams(job.jobId(), "00000000"));

            assertThat(miner.response(id))
                    .endsWith("\"error\": [20, \"coordinator is shutting down\", {\"reason_id\": \"pool-closed\"}]}");
            assertThat(miner.readToEnd()).isEmpty();
            assertThat(pool.shares.shares).isEmpty();
        }
    }

    @Test
    void whatACommitStillOwesIsAnsweredBeforeAShutdownClosesTheConnection() throws Exception {
        try (Pool pool = Pool.started(Pool.config(Pool.listener()).with(AS_42));
                StratumTestClient miner = pool.connect()) {
            MinerJob job = miner.login(WorkedExample.USER, "x");
            pool.shares.hold();
            long durable = miner.send("mining.submit", submitParams(job.jobId(), "1a2b3c51"));
            await("the commit").until(() -> pool.shares.heldCommits() == 1);
            pool.shuttingDown = true;
            long late = miner.send("mining.submit", submitParams(job.jobId(), "00000001"));
            assertThat(miner.silentFor(Duration.ofMillis(200))).isTrue();
            pool.shares.release();

            assertThat(miner.response(durable)).contains("\"result\": true");
            assertThat(miner.response(late)).contains("pool-closed");
            assertThat(miner.readToEnd()).isEmpty();
        }
    }

    @Test
    void closingTheServerWaitsForTheCommitsUnderWay() throws Exception {
        Pool pool = Pool.started(Pool.config(Pool.listener()).with(AS_42));
        StratumTestClient miner = pool.connect();
        MinerJob job = miner.login(WorkedExample.USER, "x");
        pool.shares.hold();
        long id = miner.send("mining.submit", submitParams(job.jobId(), "1a2b3c51"));
        await("the commit").until(() -> pool.shares.heldCommits() == 1);
        Thread closing = new Thread(pool::close, "test-close");
        closing.start();
        assertThat(miner.silentFor(Duration.ofMillis(200))).isTrue();
        pool.shares.release();

        assertThat(miner.response(id)).contains("\"result\": true");
        assertThat(miner.readToEnd()).isEmpty();
        closing.join(5000);
        assertThat(closing.isAlive()).isFalse();
    }

    @Test
    void aLineTooLongBehindACommitIsStillAnsweredInItsTurn() throws Exception {
        try (Pool pool = Pool.started(Pool.config(Pool.listener()).with(AS_42));
                StratumTestClient miner = pool.connect()) {
            MinerJob job = miner.login(WorkedExample.USER, "x");
            pool.shares.hold();
            long id = miner.send("mining.submit", submitParams(job.jobId(), "1a2b3c51"));
            await("the commit").until(() -> pool.shares.heldCommits() == 1);
            miner.sendLine("x".repeat(20_000));
            assertThat(miner.silentFor(Duration.ofMillis(200))).isTrue();
            pool.shares.release();

            assertThat(miner.response(id)).contains("\"result\": true");
            assertThat(miner.readToEnd())
                    .containsExactly("{\"id\": null, \"result\": null, \"error\": [20, \"line too long\", null]}");
        }
    }

    @Test
    void closingTheServerEndsItsThreads() throws Exception {
        Pool pool = Pool.started(Pool.config(Pool.listener()));
        StratumTestClient miner = pool.connect();
        miner.login(WorkedExample.USER, "x");
        pool.close();

        assertThat(miner.readToEnd()).isEmpty();
        await("threads to end")
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("prism-stratum-") && thread.isAlive()));
    }

    @Test
    void aSilentConnectionFreesItsSlot() throws Exception {
        StratumConfig config = Pool.config(Pool.listener())
                .with(ConnectionLimits.defaults().withTimeouts(Duration.ofMillis(1500), Duration.ofSeconds(20)));
        try (Pool pool = Pool.started(config);
                StratumTestClient silent = pool.connect();
                StratumTestClient ready = pool.connect()) {
            ready.login(WorkedExample.USER, "x");

            assertThat(silent.readToEnd()).isEmpty();
            await("the reason").until(() -> pool.metrics.count("disconnected:HANDSHAKE_TIMEOUT") == 1);
            assertThat(ready.request("mining.extranonce.subscribe", "[]")).contains("true");
        }
    }

    @Test
    void theHandshakeWorksOverAnIpv6Listener() throws Exception {
        ListenerConfig listener =
                ListenerConfig.plain("::1", 0, Pool.listener().fixedDifficulty(), Pool.policy("0.000000001", "1024"));
        try (Pool pool = Pool.started(Pool.config(listener));
                StratumTestClient miner = StratumTestClient.connect(
                        javax.net.SocketFactory.getDefault(), "::1", pool.port(), Duration.ofSeconds(30))) {
            assertThat(miner.login(WorkedExample.USER, "x").jobId()).isEqualTo("prism-1");
        }
    }

    @Test
    void aConnectionLimitPerAddressRefusesOnlyTheSurplus() throws Exception {
        StratumConfig config =
                Pool.config(Pool.listener()).with(ConnectionLimits.defaults().withCeilings(10, 0, 2));
        try (Pool pool = Pool.started(config);
                StratumTestClient first = pool.connect();
                StratumTestClient second = pool.connect()) {
            first.request("mining.subscribe", "[]");
            second.request("mining.subscribe", "[]");
            assertThat(pool.connect().readToEnd()).isEmpty();
            assertThat(pool.metrics.count("refused:ADDRESS")).isEqualTo(1);

            first.socket().close();
            await("the place to be free").until(() -> pool.server.stats().activeConnections() == 1);
            try (StratumTestClient third = pool.connect()) {
                assertThat(third.request("mining.subscribe", "[]")).contains("\"result\"");
            }
        }
    }

    @Test
    void onlySurplusConnectionsAreRefusedWhenExtranoncesRunOut() throws Exception {
        JobPolicy fixed = JobPolicy.fixed();
        JobPolicy small = new JobPolicy(8, 0, 4, "", fixed.versionMask(), true);
        try (Pool pool = Pool.started(Pool.config(Pool.listener()).with(small))) {
            List<StratumTestClient> admitted = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                StratumTestClient client = pool.connect();
                client.login(WorkedExample.USER, "x");
                admitted.add(client);
            }
            assertThat(pool.connect().readToEnd()).isEmpty();
            assertThat(pool.metrics.count("refused:EXTRANONCE")).isEqualTo(1);
            await("the refused one to be gone").until(() -> pool.server.stats().activeConnections() == 3);

            admitted.get(0).close();
            await("the connection to end").until(() -> pool.server.stats().activeConnections() == 2);
            assertThat(pool.connect().readToEnd())
                    .as("its jobs may still be submitted")
                    .isEmpty();
        }
    }

    @Test
    void shareIdsAreKnownToTheLedgerOnlyOnceAcrossConnections() throws Exception {
        try (Pool pool = Pool.started(Pool.config(Pool.listener()));
                StratumTestClient first = pool.connect();
                StratumTestClient second = pool.connect()) {
            MinerJob job = first.login(WorkedExample.USER, "x");
            second.login(WorkedExample.USER, "x");
            assertThat(first.submit(
                            WorkedExample.USER,
                            job.jobId(),
                            WorkedExample.EN2,
                            "6553f105",
                            "00000000",
                            Optional.empty()))
                    .isNotEmpty();
            assertThat(second.submit(
                            WorkedExample.USER,
                            job.jobId(),
                            WorkedExample.EN2,
                            "6553f105",
                            "00000000",
                            Optional.empty()))
                    .as("a job of another live connection")
                    .contains("unknown-job");
        }
    }

    private static String submitParams(String job, String nonce) {
        return "[\"" + WorkedExample.USER + "\", \"" + job + "\", \"0102030405060708\", \"6553f105\", \"" + nonce
                + "\"]";
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
