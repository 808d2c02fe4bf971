package org.prismpool.app.composition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.app.bench.jobs.MeasuredPool;
import org.prismpool.app.bench.jobs.SyntheticShares;
import org.prismpool.app.bench.jobs.WireClients;
import org.prismpool.app.composition.backend.Backends;
import org.prismpool.app.composition.work.BundleCompilers;
import org.prismpool.app.demo.EmbeddedDatabase;
import org.prismpool.app.devnode.fault.Fault;
import org.prismpool.app.devnode.fault.FaultPlan;
import org.prismpool.bundle.compile.BundleCompiler;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.stratum.testing.MinerJob;
import org.prismpool.stratum.testing.StratumTestClient;
import org.prismpool.templates.chain.Hash256;

/**
 * Whatever hangs, the pool keeps its heartbeats, keeps the work it has until it has newer work, and says in its health
 * answer where it waits and for how long. Each test breaks one thing of a whole running pool, looks, and mends it.
 */
@Timeout(120)
class StuckCausesIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration SOON = Duration.ofSeconds(30);
    /** Longest bounded operation of these pools, and a busy machine's slack. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(6);

    private static final int CLIENTS = 3;

    @TempDir
    private Path directory;

    private final List<AutoCloseable> closing = new ArrayList<>();
    private final List<Long> publishedHeights = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = closing.size() - 1; i >= 0; i--) {
            closing.get(i).close();
        }
    }

    private MeasuredPool start(Map<String, String> settings, UnaryOperator<BundleCompiler> compiler) throws Exception {
        Map<String, String> all = new HashMap<>();
        all.put("PRISM_BLOCKPOLL_SECONDS", "0.5");
        all.put("PRISM_QBIT_RPC_TIMEOUT_SECONDS", "3");
        all.put("PRISM_STRATUM_VARDIFF", "0");
        all.putAll(settings);
        UnaryOperator<Ledger> shares = ledger -> {
            SyntheticShares.append(ledger.shares(), 200, 2, System.currentTimeMillis());
            return ledger;
        };
        PoolEvents events = new PoolEvents() {
            @Override
            public void workPublished(Hash256 tip, long height, boolean collection) {
                publishedHeights.add(height);
            }
        };
        MeasuredPool pool = MeasuredPool.open(directory, all, new Backends(shares, compiler), events);
        closing.add(pool);
        pool.start();
        return pool;
    }

    private WireClients join(MeasuredPool pool) throws Exception {
        WireClients clients = new WireClients(pool.stratumPort(), CLIENTS, 2);
        closing.add(clients);
        assertThat(clients.join(0, CLIENTS, SOON).lost()).isZero();
        assertThat(clients.commonParent(0, CLIENTS)).isEqualTo(tipOnTheWire(pool));
        return clients;
    }

    /** The tip as a notify names it: the bytes of each 32-bit word turned round. */
    private static String tipOnTheWire(MeasuredPool pool) {
        String display = pool.node().control().tip().hash().displayHex();
        StringBuilder words = new StringBuilder();
        for (int at = display.length() - 8; at >= 0; at -= 8) {
            words.append(display, at, at + 8);
        }
        return words.toString();
    }

    private static JsonNode health(MeasuredPool pool) throws Exception {
        return JSON.readTree(pool.get("/healthz").body());
    }

    private static JsonNode driver(MeasuredPool pool) throws Exception {
        return health(pool).path("qbit_blockpoll");
    }

    /** Waits until health shows the phase, and that it has lasted; heartbeats must go on meanwhile. */
    private static JsonNode awaitPhase(MeasuredPool pool, String phase, double seconds) {
        Predicate<JsonNode> shown = state -> state.path("phase").asText().equals(phase)
                && state.path("blocked_phase_seconds").asDouble() >= seconds;
        JsonNode state = await("phase " + phase + " in /healthz")
                .atMost(SOON)
                .until(
                        () -> {
                            heartbeatsAreFresh(pool);
                            return driver(pool);
                        },
                        shown);
        assertThat(state.path("generation").asLong()).isPositive();
        return state;
    }

    private static void heartbeatsAreFresh(MeasuredPool pool) {
        assertThat(pool.coordinator().heartbeats().ages())
                .containsKeys("qbit_blockpoll", "qbit_blockwait")
                .allSatisfy((name, age) -> assertThat(age).as(name).isLessThan(LONGEST_SILENCE));
    }

    private static void awaitTip(MeasuredPool pool, WireClients clients) {
        await("the newest tip at every client")
                .atMost(SOON)
                .untilAsserted(
                        () -> assertThat(clients.commonParent(0, CLIENTS)).isEqualTo(tipOnTheWire(pool)));
        assertThat(pool.coordinator().stopRequested()).isFalse();
    }

    private void nothingOlderWasPublished() {
        assertThat(publishedHeights).isSorted();
    }

    @Test
    void aHungNodeShowsTheCallThatHangsAndNoWorkIsPublishedMeanwhile() throws Exception {
        MeasuredPool pool = start(Map.of(), UnaryOperator.identity());
        WireClients clients = join(pool);
        String before = clients.commonParent(0, CLIENTS);

        pool.node().faults().add("getblocktemplate", new Fault.Hang(false), FaultPlan.UNTIL_CLEARED);
        pool.node().control().mine(1);
        JsonNode state = awaitPhase(pool, "template_rpc", 1);

        assertThat(state.path("tip_hash").asText())
                .isEqualTo(pool.node().control().tip().hash().displayHex());
        pool.node().faults().add("getbestblockhash", new Fault.Hang(false), FaultPlan.UNTIL_CLEARED);
        awaitPhase(pool, "tip_rpc", 1);
        assertThat(clients.commonParent(0, CLIENTS)).isEqualTo(before);

        pool.node().faults().clear();
        awaitTip(pool, clients);
        nothingOlderWasPublished();
    }

    @Test
    void aHungDatabaseShowsTheBuildThatWaitsForIt() throws Exception {
        EmbeddedDatabase database = EmbeddedDatabase.start(directory.resolve("postgres"));
        closing.add(database);
        MeasuredPool pool = start(
                Map.of(
                        "PRISM_DATABASE_URL", database.dsn(),
                        "PRISM_POSTGRES_INIT_SCHEMA", "1",
                        "PRISM_POSTGRES_OPERATION_TIMEOUT_SECONDS", "4",
                        "PRISM_BUNDLE_BUILD_TIMEOUT_SECONDS", "2",
                        "PRISM_PAYOUT_ARTIFACT_REUSE", "0"),
                UnaryOperator.identity());
        WireClients clients = join(pool);
        String before = clients.commonParent(0, CLIENTS);

        try (Connection other = DriverManager.getConnection(
                        "jdbc:" + database.dsn().replace("postgres@", "") + "?user=postgres");
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE qbit_share_ledger IN ACCESS EXCLUSIVE MODE");
            pool.node().control().mine(1);
            awaitPhase(pool, "bundle_construction", 1);
            await("the age of the waiting build in /healthz")
                    .atMost(SOON)
                    .until(() -> health(pool)
                                    .findValue("bundle_build_oldest_age_seconds")
                                    .asDouble()
                            > 0.5);
            awaitPhase(pool, "bundle_construction", 0.5);
            assertThat(clients.commonParent(0, CLIENTS)).isEqualTo(before);
            pool.node().control().mine(1);
            other.rollback();
        }

        awaitTip(pool, clients);
        nothingOlderWasPublished();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aStuckHelperShowsItsProcessIsStoppedAndLeavesNothing() throws Exception {
        Path stuck = directory.resolve("stuck");
        String own =
                BundleCompilers.own().stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        Path helper = Files.writeString(
                directory.resolve("helper.sh"), "[ -e " + stuck + " ] && sleep 600\nexec " + own + " \"$@\"\n");
        MeasuredPool pool = start(
                Map.of(
                        "PRISM_BUNDLE_COMPILER", "subprocess",
                        "PRISM_BUNDLE_COMPILER_COMMAND", "/bin/sh '" + helper + "'",
                        "PRISM_BUNDLE_BUILD_TIMEOUT_SECONDS", "4",
                        "PRISM_AUDIT_BUNDLE_TERMINATE_GRACE_SECONDS", "0.5"),
                UnaryOperator.identity());
        WireClients clients = join(pool);
        String before = clients.commonParent(0, CLIENTS);

        Files.createFile(stuck);
        pool.node().control().mine(1);
        JsonNode state = awaitPhase(pool, "bundle_construction", 0.5);

        ProcessHandle process =
                ProcessHandle.of(state.path("active_helper_pid").asLong()).orElseThrow();
        assertThat(process.isAlive()).isTrue();
        await("the helper reaped at the end of its time").atMost(SOON).until(() -> !process.isAlive());
        await("the timeout counted").atMost(SOON).untilAsserted(() -> {
            heartbeatsAreFresh(pool);
            assertThat(pool.get("/metrics").body())
                    .containsPattern("qbit_prism_blockpoll_timeouts_total\\{phase=\"bundle_builder\"\\} [1-9]")
                    .containsPattern("qbit_prism_job_build_worker_events_total\\{event=\"terminations\"\\} [1-9]")
                    .contains("qbit_prism_job_build_worker_events_total{event=\"crashes\"} 0");
        });
        assertThat(clients.commonParent(0, CLIENTS)).isEqualTo(before);

        Files.delete(stuck);
        awaitTip(pool, clients);
        await("no file of a finished compile")
                .atMost(SOON)
                .untilAsserted(() -> assertThat(helperFiles()).isEmpty());
        assertThat(driver(pool).path("active_helper_pid").isNull()).isTrue();
        nothingOlderWasPublished();
    }

    private List<String> helperFiles() throws Exception {
        try (Stream<Path> files = Files.walk(directory.resolve(BundleCompilers.DIRECTORY))) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("owner"))
                    .toList();
        }
    }

    @Test
    void aCompileThatCannotBeStoppedIsReportedAsStuckUntilItEnds() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch armed = new CountDownLatch(1);
        UnaryOperator<BundleCompiler> deaf = compiler -> (input, deadline, cancel, progress) -> {
            if (armed.getCount() == 0) {
                boolean interrupted = false;
                while (release.getCount() > 0) {
                    try {
                        if (release.await(1, TimeUnit.SECONDS)) {
                            break;
                        }
                    } catch (InterruptedException ignored) {
                        interrupted = true; // deaf to everything
                    }
                }
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
            return compiler.compile(input, deadline, cancel, progress);
        };
        MeasuredPool pool =
                start(Map.of("PRISM_BUNDLE_BUILD_TIMEOUT_SECONDS", "1", "PRISM_JOB_BUILD_TIMEOUT_SECONDS", "1"), deaf);
        WireClients clients = join(pool);

        armed.countDown();
        pool.node().control().mine(1);

        await("the stuck build in /healthz").atMost(SOON).untilAsserted(() -> {
            heartbeatsAreFresh(pool);
            assertThat(pool.get("/healthz").statusCode()).isEqualTo(503);
            assertThat(health(pool).toString()).contains("bundle_build_stuck");
            assertThat(health(pool).findValue("bundle_build_oldest_age_seconds").asDouble())
                    .isGreaterThan(1);
        });

        release.countDown();
        awaitTip(pool, clients);
        await("healthy again")
                .atMost(SOON)
                .untilAsserted(() -> assertThat(health(pool).toString()).doesNotContain("bundle_build_stuck"));
        nothingOlderWasPublished();
    }

    /** Trap 5: collection work is built outside every connection's slot. */
    @Test
    void aCollectionBuildThatHangsLeavesSubmitsAndDisconnectsAlone() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch hanging = new CountDownLatch(1);
        AtomicBoolean armed = new AtomicBoolean();
        UnaryOperator<BundleCompiler> gated = compiler -> (input, deadline, cancel, progress) -> {
            if (armed.get()) {
                hanging.countDown();
                awaitUnlessCancelled(release, cancel);
            }
            return compiler.compile(input, deadline, cancel, progress);
        };
        MeasuredPool pool = start(Map.of("PRISM_MIN_READY_MINERS", "100"), gated);
        String user = SyntheticShares.miner(0).text() + ".rig";
        try (StratumTestClient miner = StratumTestClient.connect(pool.stratumPort())) {
            MinerJob job = miner.login(user + "1", "x");
            try (StratumTestClient leaving = StratumTestClient.connect(pool.stratumPort())) {
                leaving.login(user + "2", "x");

                armed.set(true);
                pool.node().control().mine(1);
                assertThat(hanging.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
                awaitPhase(pool, "bundle_construction", 0.2);

                String answer =
                        miner.submit(user + "1", job.jobId(), "00000000", job.ntime(), "00000000", Optional.empty());
                assertThat(answer).contains("\"id\"");
            }
            await("the connection gone")
                    .atMost(SOON)
                    .untilAsserted(() -> assertThat(pool.get("/metrics").body())
                            .contains("qbit_prism_stratum_active_connections 1\n"));
            assertThat(driver(pool).path("phase").asText())
                    .as("all that while the build hangs")
                    .isEqualTo("bundle_construction");

            armed.set(false);
            release.countDown();
            String tip = tipOnTheWire(pool);
            while (!miner.nextJob().prevhash().equals(tip)) {
                // work on the tip before
            }
        }
        nothingOlderWasPublished();
    }

    private static void awaitUnlessCancelled(CountDownLatch release, CancelSignal cancel) {
        try {
            while (!cancel.cancelled() && !release.await(20, TimeUnit.MILLISECONDS)) {
                // hangs
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aStuckClientDelaysNobodyAndIsRetired() throws Exception {
        MeasuredPool pool = start(
                Map.of("PRISM_STRATUM_SEND_TIMEOUT_SECONDS", "6", "PRISM_CLIENT_JOB_LOCK_TIMEOUT_SECONDS", "1"),
                UnaryOperator.identity());
        WireClients clients = join(pool);
        try (Socket stuck = new Socket()) {
            stuck.setReceiveBufferSize(4096);
            stuck.connect(new InetSocketAddress("127.0.0.1", pool.stratumPort()), 5000);
            loginAndStopReading(stuck);
            fillItsBuffers(stuck, pool.stratumPort());

            String before = clients.commonParent(0, CLIENTS);
            pool.node().control().mine(1);
            long began = System.nanoTime();
            List<Long> arrivals = clients.awaitOtherParent(0, CLIENTS, before, SOON);

            assertThat(arrivals)
                    .hasSize(CLIENTS)
                    .allSatisfy(at -> assertThat(Duration.ofNanos(at - began))
                            .as("before the stuck client is retired")
                            .isLessThan(Duration.ofSeconds(6)));
            awaitPhase(pool, "job_fanout", 0.3);
            await("the stuck client retired").atMost(SOON).untilAsserted(() -> {
                heartbeatsAreFresh(pool);
                assertThat(pool.get("/metrics").body()).contains("qbit_prism_stratum_active_connections " + CLIENTS);
            });
        }
        awaitTip(pool, clients);
        nothingOlderWasPublished();
    }

    private static void loginAndStopReading(Socket socket) throws Exception {
        OutputStream out = socket.getOutputStream();
        String user = SyntheticShares.miner(0).text() + ".stuck";
        out.write(("{\"id\": 1, \"method\": \"mining.subscribe\", \"params\": [\"test/1\"]}\n"
                        + "{\"id\": 2, \"method\": \"mining.authorize\", \"params\": [\"" + user + "\", \"x\"]}\n")
                .getBytes(StandardCharsets.US_ASCII));
        BufferedReader in =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        while (!in.readLine().contains("mining.notify")) {
            // the answers before the first job
        }
    }

    /** Asks for answers that nobody reads, until the pool's side of the connection takes no more of them. */
    private static void fillItsBuffers(Socket socket, int poolPort) {
        String ask = "{\"id\": 3, \"method\": \"mining.configure\", \"params\": [[\"version-rolling\"],"
                + " {\"version-rolling.mask\": \"1fffe000\"}]}\n";
        byte[] asks = ask.repeat(1000).getBytes(StandardCharsets.US_ASCII);
        AtomicLong before = new AtomicLong(-1);
        await("full buffers").atMost(SOON).pollInterval(Duration.ofMillis(100)).until(() -> {
            long unsent = unsent(poolPort, socket.getLocalPort());
            if (unsent > 0 && unsent == before.getAndSet(unsent)) {
                return true;
            }
            socket.getOutputStream().write(asks);
            return false;
        });
    }

    /** Bytes that the system holds for one connection of the pool and cannot get rid of. */
    private static long unsent(int local, int remote) throws IOException {
        Pattern line = Pattern.compile(
                String.format(Locale.ROOT, ":%04X [0-9A-F]+:%04X [0-9A-F]+ ([0-9A-F]{8}):", local, remote));
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            Matcher found = line.matcher(Files.readString(Path.of(table)));
            if (found.find()) {
                return Long.parseLong(found.group(1), 16);
            }
        }
        return 0;
    }

    @Test
    void endlessTipChurnEndsOnTheNewestTip() throws Exception {
        MeasuredPool pool = start(Map.of(), UnaryOperator.identity());
        WireClients clients = join(pool);

        CountDownLatch pause = new CountDownLatch(1);
        List<String> phases = new ArrayList<>();
        List<Long> generations = new ArrayList<>();
        long end = System.nanoTime() + Duration.ofSeconds(4).toNanos();
        while (System.nanoTime() - end < 0 || generations.size() < 20) {
            pool.node().control().mine(1);
            heartbeatsAreFresh(pool);
            JsonNode state = driver(pool);
            phases.add(state.path("phase").asText());
            generations.add(state.path("generation").asLong());
            assertThat(state.path("blocked_phase_seconds").asDouble(-1))
                    .as("age of the phase")
                    .isBetween(0.0, (double) LONGEST_SILENCE.toSeconds());
            assertThat(pause.await(5, TimeUnit.MILLISECONDS)).isFalse();
        }
        assertThat(phases).as("passes under way were seen").anyMatch(phase -> !phase.equals("idle"));
        assertThat(generations).isSorted();
        assertThat(generations.get(generations.size() - 1)).isGreaterThan(generations.get(0));

        awaitTip(pool, clients);
        nothingOlderWasPublished();
    }
}
