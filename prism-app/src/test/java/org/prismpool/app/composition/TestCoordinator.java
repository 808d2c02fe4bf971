package org.prismpool.app.composition;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.prismpool.app.devnode.DevNode;
import org.prismpool.app.devnode.DevNodeConfig;
import org.prismpool.app.devnode.DevNodeHttp;
import org.prismpool.app.devnode.DevNodeHttpConfig;
import org.prismpool.app.testing.TestSettings;
import org.prismpool.config.ConfigReport;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;

/** A whole coordinator with the memory ledger, on a development node of its own. */
final class TestCoordinator implements AutoCloseable {

    /** Somebody who can be paid on its chain. */
    static final String ADDRESS =
            P2mrAddress.of(Network.REGTEST, new byte[P2mrAddress.PROGRAM_SIZE]).text();

    final DevNode node = DevNode.start(DevNodeConfig.forDemo());
    private final DevNodeHttp http;
    private final Coordinator coordinator;
    private final HttpClient client = HttpClient.newHttpClient();

    private TestCoordinator(Path directory, Map<String, String> more, boolean servesPublic) throws Exception {
        http = DevNodeHttp.start(
                DevNodeHttpConfig.onLoopback(TestSettings.RPC_USER, TestSettings.RPC_PASSWORD)
                        .withPort(0),
                node);
        Map<String, String> e = TestSettings.endless(TestSettings.memory(http.port()), directory);
        e.put("PRISM_AUDIT_BIND", "127.0.0.1");
        e.put("PRISM_METRICS_REFRESH_SECONDS", "0.1");
        e.putAll(more);
        ConfigReport report = PrismConfiguration.loader().load(e);
        assertThat(report.ok()).as(report.render()).isTrue();
        coordinator = new Coordinator(
                report.environment(),
                new CoordinatorOptions(Optional.of(0), Optional.of(0), 0)
                        .withPublicPort(0)
                        .withPublic(servesPublic),
                PoolEvents.NONE);
    }

    /** Starts one whose environment is that of all tests and the given variables. */
    static TestCoordinator start(Path directory, Map<String, String> more) throws Exception {
        return start(new TestCoordinator(directory, more, true));
    }

    /** Starts one that leaves the public paths to another process. */
    static TestCoordinator startWithoutPublic(Path directory, Map<String, String> more) throws Exception {
        return start(new TestCoordinator(directory, more, false));
    }

    private static TestCoordinator start(TestCoordinator started) throws Exception {
        assertThat(started.coordinator.start()).isTrue();
        return started;
    }

    int stratumPort() {
        return coordinator.stratumPort();
    }

    int httpPort() {
        return coordinator.httpPort().orElseThrow();
    }

    int publicPort() {
        return coordinator.publicPort().orElseThrow();
    }

    /** The value of one series, or -1 before the first document. */
    long metric(String series) throws IOException, InterruptedException {
        return value(metrics(), series);
    }

    /** The sum of several series of one document. */
    long sum(String... series) throws IOException, InterruptedException {
        String document = metrics();
        return Arrays.stream(series).mapToLong(name -> value(document, name)).sum();
    }

    private String metrics() throws IOException, InterruptedException {
        int port = coordinator.httpPort().orElseThrow();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .timeout(Duration.ofSeconds(10))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    private static long value(String document, String series) {
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
