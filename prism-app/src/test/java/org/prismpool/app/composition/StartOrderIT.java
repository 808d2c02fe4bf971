package org.prismpool.app.composition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.app.bench.jobs.SyntheticShares;
import org.prismpool.app.composition.backend.Backends;
import org.prismpool.app.devnode.DevNode;
import org.prismpool.app.devnode.DevNodeConfig;
import org.prismpool.app.devnode.DevNodeHttp;
import org.prismpool.app.devnode.DevNodeHttpConfig;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.lifecycle.shutdown.ShutdownReport;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.LedgerDeadlineException;
import org.prismpool.sharewriter.block.CandidateOutboxRows;

/** A start with a node and a ledger in memory, looked at step by step from outside. */
@Timeout(120)
class StartOrderIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    private DevNode node;
    private DevNodeHttp rpc;
    private final List<String> steps = new CopyOnWriteArrayList<>();
    private final AtomicReference<Coordinator> running = new AtomicReference<>();

    @BeforeEach
    void open() throws Exception {
        node = DevNode.start(DevNodeConfig.forDemo());
        rpc = DevNodeHttp.start(DevNodeHttpConfig.onLoopback("prism", "secret").withPort(0), node);
    }

    @AfterEach
    void close() {
        Optional.ofNullable(running.get()).ifPresent(coordinator -> coordinator.stop("test_end"));
        rpc.close();
        node.close();
    }

    private Coordinator coordinator(UnaryOperator<Ledger> ledger, Runnable atHttp) {
        Map<String, String> e = new HashMap<>(Map.of(
                "QBIT_RPC_HOST", "127.0.0.1",
                "QBIT_RPC_PORT", Integer.toString(rpc.port()),
                "QBIT_RPC_USER", "prism",
                "QBIT_RPC_PASSWORD", "secret",
                "PRISM_ALLOW_MEMORY_LEDGER", "1",
                "PRISM_ALLOW_TEST_SIGNING_SEEDS", "1",
                "PRISM_ALLOW_BUNDLE_EMBEDDED_LEDGER_KEY", "1",
                "PRISM_AUDIT_DIR", folder.toString(),
                "PRISM_EVIDENCE_PATH", folder.resolve("evidence.json").toString(),
                "PRISM_AUDIT_BIND", "127.0.0.1"));
        e.put("PRISM_HEALTH_REFRESH_SECONDS", "0.2");
        e.put("PRISM_METRICS_REFRESH_SECONDS", "0.2");
        e.put("PRISM_BLOCK_LANDING_DB_TIMEOUT_SECONDS", "2");
        e.put("PRISM_MIN_READY_MINERS", "2");
        PoolEvents events = new PoolEvents() {
            @Override
            public void progress(String text) {
                steps.add(text);
                if (text.startsWith("http: listening")) {
                    atHttp.run();
                }
            }
        };
        Coordinator coordinator = new Coordinator(
                PrismConfiguration.loader().load(e).environment(),
                new CoordinatorOptions(
                        Optional.of(0), Optional.of(0), 0, new Backends(ledger, UnaryOperator.identity())),
                events);
        running.set(coordinator);
        return coordinator;
    }

    private static CompletableFuture<Boolean> starting(Coordinator coordinator) {
        CompletableFuture<Boolean> started = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        started.complete(coordinator.start());
                    } catch (Exception failed) {
                        started.completeExceptionally(failed);
                    }
                },
                "test-start");
        thread.setDaemon(true);
        thread.start();
        return started;
    }

    private static HttpResponse<String> get(Coordinator coordinator, String path)
            throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + coordinator.httpPort().orElseThrow() + path);
        return CLIENT.send(HttpRequest.newBuilder(uri).timeout(SOON).build(), HttpResponse.BodyHandlers.ofString());
    }

    private boolean reached(String step) {
        return steps.stream().anyMatch(text -> text.startsWith(step));
    }

    @Test
    void aMinerThatConnectsBeforeTheNodeAnswersIsServedAfterTheStart() throws Exception {
        node.faults().hold("getblockcount");
        AtomicReference<CompletableFuture<List<HttpResponse<String>>>> health = new AtomicReference<>();
        AtomicReference<Coordinator> polled = new AtomicReference<>();
        Coordinator coordinator = coordinator(
                UnaryOperator.identity(),
                () -> health.set(CompletableFuture.supplyAsync(() -> untilHealthy(polled.get()))));
        polled.set(coordinator);
        CompletableFuture<Boolean> started = starting(coordinator);
        await("the node wait").atMost(SOON).until(() -> reached("node: waiting"));

        try (Socket miner = new Socket(InetAddress.getLoopbackAddress(), coordinator.stratumPort())) {
            miner.setSoTimeout((int) SOON.toMillis());
            miner.getOutputStream()
                    .write("{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[\"early/1\"]}\n"
                            .getBytes(StandardCharsets.UTF_8));
            BufferedReader answers =
                    new BufferedReader(new InputStreamReader(miner.getInputStream(), StandardCharsets.UTF_8));
            assertThat(started).isNotDone();
            assertThat(answers.ready()).isFalse();
            node.faults().clear();

            assertThat(answers.readLine()).contains("\"id\": 1", "\"error\": null");
            assertThat(started).succeedsWithin(SOON).isEqualTo(true);
        }
        healthWentFromStartingToGood(health.get().get());
        await("a document with the last phase")
                .atMost(SOON)
                .until(() -> get(coordinator, "/metrics").body().contains("phase=\"first_tip_template_published\""));
        thePhasesCameInOrder(get(coordinator, "/metrics").body());
        assertThat(steps)
                .containsSubsequence(
                        steps.get(0), "node: waiting for an answer, at most 60 s", "prewarm: complete", "ready");
    }

    private static List<HttpResponse<String>> untilHealthy(Coordinator coordinator) {
        List<HttpResponse<String>> seen = new ArrayList<>();
        await("a good answer").pollInterval(Duration.ofMillis(100)).atMost(SOON).until(() -> {
            HttpResponse<String> answer = get(coordinator, "/healthz");
            seen.add(answer);
            return answer.statusCode() == 200;
        });
        return seen;
    }

    private static void healthWentFromStartingToGood(List<HttpResponse<String>> seen) {
        assertThat(seen)
                .extracting(HttpResponse::statusCode)
                .isSubsetOf(503, 200)
                .endsWith(200);
        boolean warm = false;
        for (HttpResponse<String> answer : seen) {
            boolean startingNow = answer.body().contains("\"state\":\"starting\"");
            assertThat(startingNow && warm)
                    .as("starting again: %s", answer.body())
                    .isFalse();
            warm = !startingNow;
        }
    }

    private void thePhasesCameInOrder(String metrics) {
        double before = 0;
        for (String phase : new String[] {
            "lease_heartbeat_started",
            "node_rpc_ready",
            "audit_listener_bound",
            "block_replay_enumerated",
            "first_tip_template_published"
        }) {
            String series = "qbit_prism_startup_phase_seconds{phase=\"" + phase + "\"} ";
            double at = metrics.lines()
                    .filter(line -> line.startsWith(series))
                    .mapToDouble(line -> Double.parseDouble(line.substring(series.length())))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no " + phase + " in\n" + metrics));
            assertThat(at).as(phase).isGreaterThanOrEqualTo(before);
            before = at;
        }
    }

    @Test
    void aStopBetweenTheListenerAndTheShareReplayEndsTheStartCleanly() throws Exception {
        Path journal = folder.resolve("prism-unpersisted-shares.jsonl");
        Files.writeString(journal, """
                {"share_id":"a","miner_id":"m","order_key":"m","p2mr_program_hex":"%s","share_difficulty":1,\
                "network_difficulty":1,"template_height":1,"job_id":"j","job_issued_at_ms":1,"accepted_at_ms":1,"ntime":1}
                """.formatted("aa".repeat(32)));
        Coordinator coordinator =
                coordinator(UnaryOperator.identity(), () -> running.get().requestStop(OptionalInt.of(15)));

        assertThat(starting(coordinator)).succeedsWithin(SOON).isEqualTo(false);
        ShutdownReport report = coordinator.stop("serve_startup_exit");

        assertThat(report.released()).isTrue();
        assertThat(report.signal()).hasValue(15);
        assertThat(reached("ready")).isFalse();
        assertThat(journal).as("nothing of it is lost").exists();
        await("threads end")
                .atMost(SOON)
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(
                                thread -> thread.isAlive() && thread.getName().startsWith("prism-share")));
    }

    @Test
    void anOutboxThatCannotBeReadDelaysTheWorkAndNotTheStart() throws Exception {
        AtomicBoolean broken = new AtomicBoolean(true);
        Coordinator coordinator = coordinator(
                ledger -> {
                    SyntheticShares.append(ledger.shares(), 200, 2, System.currentTimeMillis());
                    return withOutbox(ledger, broken);
                },
                () -> {});

        assertThat(starting(coordinator)).succeedsWithin(SOON).isEqualTo(true);
        assertThat(steps)
                .containsSubsequence(
                        "block replay: not complete yet, job builds wait for it",
                        "prewarm: deferred, block candidate replay is not enumerated yet",
                        "ready");
        assertThat(enumerated(coordinator)).isFalse();

        broken.set(false);

        await("the outbox is read").atMost(SOON).until(() -> enumerated(coordinator));
    }

    private static boolean enumerated(Coordinator coordinator) throws Exception {
        return get(coordinator, "/metrics").body().contains("startup_phase_seconds{phase=\"block_replay_enumerated\"}");
    }

    /** A ledger whose outbox cannot be read while it is broken. */
    private static Ledger withOutbox(Ledger ledger, AtomicBoolean broken) {
        CandidateOutboxRows outbox = proxy(CandidateOutboxRows.class, (method, arguments) -> {
            if (broken.get() && method.getName().equals("pending")) {
                throw new LedgerDeadlineException("the database does not answer", new SQLTimeoutException());
            }
            return method.invoke(ledger.outbox(), arguments);
        });
        return proxy(
                Ledger.class,
                (method, arguments) -> method.getName().equals("outbox") ? outbox : method.invoke(ledger, arguments));
    }

    /** What a call comes to. */
    private interface Call {
        Object of(Method method, Object[] arguments) throws Exception;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return call.of(method, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                }));
    }
}
