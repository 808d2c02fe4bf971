package org.prismpool.app.bench.jobs;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.prismpool.app.composition.Coordinator;
import org.prismpool.app.composition.CoordinatorOptions;
import org.prismpool.app.composition.PoolEvents;
import org.prismpool.app.composition.backend.Backends;
import org.prismpool.app.composition.backend.StartFailure;
import org.prismpool.app.devnode.DevNode;
import org.prismpool.app.devnode.DevNodeConfig;
import org.prismpool.app.devnode.DevNodeHttp;
import org.prismpool.app.devnode.DevNodeHttpConfig;
import org.prismpool.config.ConfigReport;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * A development node and a real coordinator on it, ports of its own, a ledger in memory unless the environment names a
 * database.
 *
 * <p>Opened, started and closed by one thread.
 */
public final class MeasuredPool implements AutoCloseable {

    private static final String PASSWORD = "measured";
    private static final String SEED = "42";
    private static final String LEDGER_SEED = "43";
    private static final int SEED_BYTES = 32;

    private final Deque<Runnable> closing = new ArrayDeque<>();
    private final DevNode node;
    private final Coordinator coordinator;
    private final HttpClient http = HttpClient.newHttpClient();

    private MeasuredPool(DevNode node, Coordinator coordinator) {
        this.node = node;
        this.coordinator = coordinator;
    }

    /**
     * Starts the node and makes the coordinator, which is not started yet.
     *
     * @param directory where files go
     * @param settings environment variables besides those that a pool cannot do without
     * @param backends what is put around the ledger and the compiler
     * @param events told by the coordinator
     * @return the pool
     * @throws IllegalArgumentException if the settings are refused
     */
    public static MeasuredPool open(
            Path directory, Map<String, String> settings, Backends backends, PoolEvents events) {
        return open(directory, settings, backends, events, MonotonicClock.system());
    }

    /**
     * Starts the node and makes the coordinator with another clock; it is not started yet.
     *
     * @param directory where files go
     * @param settings environment variables besides those that a pool cannot do without
     * @param backends what is put around the ledger and the compiler
     * @param events told by the coordinator
     * @param clock of every age, deadline and timeout of the coordinator
     * @return the pool
     * @throws IllegalArgumentException if the settings are refused
     */
    public static MeasuredPool open(
            Path directory, Map<String, String> settings, Backends backends, PoolEvents events, MonotonicClock clock) {
        DevNode node = DevNode.start(DevNodeConfig.forTests().withFreshBlockAtStart(true));
        Optional<DevNodeHttp> http = Optional.empty();
        try {
            http = Optional.of(DevNodeHttp.start(
                    DevNodeHttpConfig.onLoopback("prism", PASSWORD).withPort(0), node));
            Map<String, String> environment =
                    new HashMap<>(basics(directory, http.get().port()));
            if (!settings.containsKey("PRISM_DATABASE_URL")) {
                environment.put("PRISM_ALLOW_MEMORY_LEDGER", "1");
            }
            environment.putAll(settings);
            ConfigReport report = PrismConfiguration.loader().load(environment);
            if (!report.ok()) {
                throw new IllegalArgumentException(report.render());
            }
            CoordinatorOptions options = new CoordinatorOptions(
                    Optional.of(0), Optional.of(0), report.warnings().size(), backends);
            MeasuredPool pool = new MeasuredPool(node, new Coordinator(report.environment(), options, events, clock));
            pool.closing.push(node::close);
            pool.closing.push(http.get()::close);
            return pool;
        } catch (RuntimeException failed) {
            http.ifPresent(DevNodeHttp::close);
            node.close();
            throw failed;
        }
    }

    private static Map<String, String> basics(Path directory, int rpcPort) {
        Map<String, String> e = new HashMap<>();
        e.put("QBIT_CHAIN", "regtest");
        e.put("QBIT_RPC_HOST", "127.0.0.1");
        e.put("QBIT_RPC_PORT", Integer.toString(rpcPort));
        e.put("QBIT_RPC_USER", "prism");
        e.put("QBIT_RPC_PASSWORD", PASSWORD);
        e.put("PRISM_LEDGER_WRITER_ID", "prism-measured");
        e.put("PRISM_LEDGER_WRITER_EPOCH", "1");
        e.put("PRISM_MANIFEST_SIGNING_SEED_HEX", SEED.repeat(SEED_BYTES));
        e.put("PRISM_LEDGER_ATTESTATION_SIGNING_SEED_HEX", LEDGER_SEED.repeat(SEED_BYTES));
        e.put("PRISM_ALLOW_BUNDLE_EMBEDDED_LEDGER_KEY", "1");
        e.put("PRISM_AUDIT_DIR", directory.resolve("audit").toString());
        e.put("PRISM_EVIDENCE_PATH", directory.resolve("audit/evidence.json").toString());
        e.put("PRISM_SHARE_RECOVERY_PATH", directory.resolve("recovery.jsonl").toString());
        e.put("PRISM_AUDIT_BIND", "127.0.0.1");
        e.put("PRISM_STRATUM_BIND", "127.0.0.1");
        e.put("PRISM_MIN_READY_MINERS", "1");
        e.put("PRISM_MAX_BLOCKS", "2147483647");
        e.put("PRISM_STOP_AFTER_BLOCK", "0");
        e.put("PRISM_HEALTH_REFRESH_SECONDS", "0.25");
        e.put("PRISM_METRICS_REFRESH_SECONDS", "0.5");
        return e;
    }

    /**
     * Starts the coordinator.
     *
     * @throws StartFailure if it refuses to start
     * @throws InterruptedException if interrupted
     */
    public void start() throws StartFailure, InterruptedException {
        closing.push(() -> coordinator.stop("measured"));
        if (!coordinator.start()) {
            throw new StartFailure("stopped while it started");
        }
    }

    /**
     * Returns the node.
     *
     * @return chain, faults and log of calls
     */
    public DevNode node() {
        return node;
    }

    /**
     * Returns the coordinator.
     *
     * @return it, started or not; closed by this pool
     */
    public Coordinator coordinator() {
        return coordinator;
    }

    /**
     * Returns the port of the miners.
     *
     * @return bound port
     */
    public int stratumPort() {
        return coordinator.stratumPort();
    }

    /**
     * Reads a page of the operator's listener.
     *
     * @param path path and query
     * @return the answer
     * @throws IOException if there is none within 10 s
     * @throws InterruptedException if interrupted
     */
    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + coordinator.httpPort().orElseThrow() + path);
        HttpRequest request =
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10)).build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** Stops the coordinator, then the node. */
    @Override
    public void close() {
        while (!closing.isEmpty()) {
            closing.pop().run();
        }
    }
}
