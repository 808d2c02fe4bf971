package org.prismpool.app.composition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.app.composition.backend.StartFailure;
import org.prismpool.app.composition.health.HealthOwners;
import org.prismpool.app.composition.health.StopOwners;
import org.prismpool.app.testing.TestSettings;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.lifecycle.metrics.MetricCatalogue;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.lifecycle.testing.ManualClock;

/** Starts that end early: on purpose, or because something is missing. No node answers here. */
@Timeout(60)
class CoordinatorStartIT {

    @TempDir
    private Path folder;

    private final List<String> steps = new CopyOnWriteArrayList<>();

    private Map<String, String> environment(String... more) {
        Map<String, String> e = TestSettings.memory(1);
        e.put("PRISM_AUDIT_DIR", folder.toString());
        e.put("PRISM_EVIDENCE_PATH", folder.resolve("evidence.json").toString());
        for (String setting : more) {
            String[] sides = setting.split("=", 2);
            e.put(sides[0], sides[1]);
        }
        return e;
    }

    private Coordinator coordinator(int port, String... more) {
        return new Coordinator(
                PrismConfiguration.loader().load(environment(more)).environment(),
                new CoordinatorOptions(Optional.of(port), Optional.empty(), 0),
                new PoolEvents() {
                    @Override
                    public void progress(String text) {
                        steps.add(text);
                    }
                });
    }

    private static CompletableFuture<Boolean> starting(Coordinator coordinator) {
        CompletableFuture<Boolean> started = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        started.complete(coordinator.start());
                    } catch (StartFailure | InterruptedException | RuntimeException failed) {
                        started.completeExceptionally(failed);
                    }
                },
                "test-start");
        thread.setDaemon(true);
        thread.start();
        return started;
    }

    private static Set<String> poolThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith("prism-"))
                .collect(Collectors.toSet());
    }

    private static void awaitNoNewThread(Set<String> before) {
        await("threads end").atMost(Duration.ofSeconds(10)).until(() -> before.containsAll(poolThreads()));
    }

    @Test
    void aStopWhileTheNodeIsDownEndsTheStartAndLeavesNeitherPortNorThread() throws Exception {
        Set<String> before = poolThreads();
        Coordinator coordinator = coordinator(0);
        CompletableFuture<Boolean> started = starting(coordinator);
        await("the node wait").until(() -> steps.stream().anyMatch(step -> step.startsWith("node: waiting")));
        int port = coordinator.stratumPort();

        coordinator.requestStop(OptionalInt.of(15));

        assertThat(started).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(false);
        coordinator.stop("serve_startup_exit");
        try (ServerSocket next = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(next.isBound()).isTrue();
        }
        awaitNoNewThread(before);
    }

    @Test
    void aStopDuringTheBindRetryEndsTheStartCleanly() throws Exception {
        Set<String> before = poolThreads();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Coordinator coordinator = coordinator(taken.getLocalPort(), "PRISM_STRATUM_BIND_RETRY_SECONDS=30");
            CompletableFuture<Boolean> started = starting(coordinator);
            await("still retrying").during(Duration.ofMillis(500)).until(() -> !started.isDone());

            coordinator.requestStop(OptionalInt.of(15));

            assertThat(started).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(false);
            coordinator.stop("serve_startup_exit");
        }
        awaitNoNewThread(before);
    }

    @Test
    void aPortThatStaysTakenRefusesTheStartAndLeavesNoThread() throws Exception {
        Set<String> before = poolThreads();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Coordinator coordinator = coordinator(taken.getLocalPort(), "PRISM_STRATUM_BIND_RETRY_SECONDS=0");

            assertThatThrownBy(coordinator::start).hasMessageContaining(Integer.toString(taken.getLocalPort()));

            coordinator.stop("serve_startup_exit");
        }
        awaitNoNewThread(before);
    }

    @Test
    void aStopBeforeTheStartStartsNothing() throws Exception {
        Set<String> before = poolThreads();
        Coordinator coordinator = coordinator(0);
        coordinator.requestStop(OptionalInt.of(2));

        assertThat(coordinator.start()).isFalse();

        coordinator.stop("serve_startup_exit");
        awaitNoNewThread(before);
    }

    @Test
    void waitingForTheLeaseConsumesNoBudgetOfTheStart() {
        ManualClock clock = new ManualClock();
        var e = PrismConfiguration.loader().load(environment()).environment();
        StopOwners stopping = StopOwners.create(e, code -> {}, Map::of, clock);
        clock.advance(Duration.ofDays(3));

        HealthOwners observing =
                HealthOwners.create(e, stopping, new MetricFamilies(MetricCatalogue.ofThePool()), clock);

        assertThat(observing.progress().divergenceSinceNanos()).hasValue(clock.nanoTime());
        assertThat(observing.watchdog().look().getClass().getSimpleName()).isEqualTo("Healthy");
        assertThat(stopping.fatal().claimed()).isFalse();
    }
}
