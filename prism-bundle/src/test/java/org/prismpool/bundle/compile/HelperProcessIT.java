package org.prismpool.bundle.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.CancelledException;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.DeadlineExceededException;
import org.prismpool.lifecycle.time.MonotonicClock;

@EnabledOnOs(OS.LINUX)
class HelperProcessIT {

    @TempDir
    Path temp;

    private final Map<HelperEvents.Kind, Integer> counts = new EnumMap<>(HelperEvents.Kind.class);
    private final AtomicLong activePid = new AtomicLong();
    private HelperDirectory directory;

    @BeforeEach
    void create() {
        directory = HelperDirectory.create(temp);
    }

    @AfterEach
    void close() {
        directory.close();
    }

    @Test
    void theHelperReadsItsPayloadFromAFileAndItsOutputIsReturned() throws IOException {
        HelperProcess.Output output = run("cat; echo diagnosed >&2", "payload", Duration.ofSeconds(20));

        assertThat(new String(output.stdout(), StandardCharsets.UTF_8)).isEqualTo("payload");
        assertThat(output.stderr()).isEqualTo("diagnosed");
        assertThat(activePid).hasValue(0);
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void aHelperThatIgnoresItsInputAndTheStopSignalIsKilledAndReapedAtTheEndOfItsTime() throws IOException {
        long started = System.nanoTime();

        assertThatThrownBy(() ->
                        run("trap '' TERM; sleep 60 & wait; sleep 60", "x".repeat(1 << 20), Duration.ofSeconds(1)))
                .isInstanceOf(DeadlineExceededException.class)
                .hasMessageContaining("bundle_builder");

        Duration took = Duration.ofNanos(System.nanoTime() - started);
        assertThat(took)
                .as("one second, half a second of grace, and a busy machine; the helper would take a minute")
                .isBetween(Duration.ofMillis(900), Duration.ofSeconds(20));
        assertThat(counts)
                .containsEntry(HelperEvents.Kind.TERMINATIONS, 1)
                .doesNotContainKey(HelperEvents.Kind.CRASHES);
        assertThat(activePid).hasValue(0);
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void aNonZeroExitCarriesTheDiagnosticsAndCountsAsACrash() throws IOException {
        assertThatThrownBy(() -> run("echo x-marks-the-spot >&2; exit 3", "p", Duration.ofSeconds(20)))
                .isInstanceOf(CompileException.class)
                .hasMessageContaining("status 3")
                .hasMessageContaining("x-marks-the-spot");

        assertThat(counts).containsEntry(HelperEvents.Kind.CRASHES, 1);
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void aHelperThatPrintsTooMuchIsKilled() throws IOException {
        assertThatThrownBy(() -> run("yes x", "p", Duration.ofSeconds(20)))
                .isInstanceOf(CompileException.class)
                .hasMessageContaining("standard output");

        assertThat(counts).containsEntry(HelperEvents.Kind.TERMINATIONS, 1);
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void aSupersededHelperIsATerminationAndNeitherACrashNorATimeout() throws Exception {
        CancelSource cancel = new CancelSource();
        CompletableFuture<Throwable> failure = CompletableFuture.supplyAsync(() -> {
            try {
                run("sleep 60", "p", Duration.ofSeconds(60), cancel);
                return new AssertionError("not cancelled");
            } catch (RuntimeException e) {
                return e;
            }
        });
        Awaitility.await("helper runs").until(() -> activePid.get() != 0);
        Optional<ProcessHandle> helper = ProcessHandle.of(activePid.get());

        cancel.cancel("superseded");

        assertThat(failure.get()).isInstanceOf(CancelledException.class);
        assertThat(counts)
                .containsEntry(HelperEvents.Kind.TERMINATIONS, 1)
                .doesNotContainKey(HelperEvents.Kind.CRASHES);
        assertThat(helper.map(ProcessHandle::isAlive).orElse(false)).isFalse();
    }

    @Test
    void aResultThatArrivesAfterTheCancellationIsNotAResult() {
        CancelSource cancel = new CancelSource();
        AtomicBoolean written = new AtomicBoolean();

        assertThatThrownBy(() -> helper().run(
                                List.of("-c", "echo done"),
                                out -> {
                                    out.write(1);
                                    written.set(true);
                                    cancel.cancel("superseded");
                                },
                                deadline(Duration.ofSeconds(20)),
                                cancel))
                .isInstanceOf(CancelledException.class);

        assertThat(written).isTrue();
        assertThat(counts).doesNotContainKey(HelperEvents.Kind.STARTS);
    }

    @Test
    void descendantsOfAStoppedHelperAreStoppedToo() throws Exception {
        Path pidFile = temp.resolve("descendant");
        CancelSource cancel = new CancelSource();
        CompletableFuture<Void> done = CompletableFuture.runAsync(() -> {
            try {
                run("(sleep 60) & echo $! > " + pidFile + "; wait", "p", Duration.ofSeconds(60), cancel);
            } catch (CancelledException expected) {
                assertThat(expected.reason()).isEqualTo("stop");
            }
        });
        Awaitility.await("descendant runs")
                .until(() -> Files.exists(pidFile) && !Files.readString(pidFile).isBlank());
        long descendant = Long.parseLong(Files.readString(pidFile).strip());

        cancel.cancel("stop");
        done.get();

        Awaitility.await("descendant gone")
                .until(() -> ProcessHandle.of(descendant).map(p -> !p.isAlive()).orElse(true));
    }

    @Test
    void aHugePayloadStopsAtTheDeadlineInChunks() throws IOException {
        byte[] chunk = new byte[64 * 1024];

        assertThatThrownBy(() -> helper().run(
                                List.of("-c", "cat > /dev/null"),
                                out -> {
                                    for (int i = 0; i < 1_000_000; i++) {
                                        out.write(chunk);
                                    }
                                },
                                deadline(Duration.ofMillis(200)),
                                CancelSignal.never()))
                .isInstanceOf(DeadlineExceededException.class);

        assertThat(leftovers()).isEmpty();
        assertThat(counts).doesNotContainKey(HelperEvents.Kind.STARTS);
    }

    @Test
    void aHelperThatPrintsMoreThanTheContractAllowsIsKilled() throws IOException {
        SubprocessConfig full = SubprocessConfig.defaults(List.of("/bin/sh"), temp);
        HelperProcess helper = new HelperProcess(full, directory, events());

        assertThatThrownBy(() -> helper.run(
                        List.of("-c", "head -c 68157440 /dev/zero; sleep 60"), // 65 MiB
                        out -> out.write(1),
                        deadline(Duration.ofSeconds(50)),
                        CancelSignal.never()))
                .isInstanceOf(CompileException.class)
                .hasMessageContaining("67108864 bytes of standard output");

        assertThat(counts)
                .containsEntry(HelperEvents.Kind.TERMINATIONS, 1)
                .containsEntry(HelperEvents.Kind.FAILURES, 1);
        assertThat(leftovers()).isEmpty();
    }

    @Test
    @Tag("soak")
    void aHelperThatIgnoresEverythingIsKilledAfterItsMinuteAndItsGrace() throws IOException {
        SubprocessConfig full = SubprocessConfig.defaults(List.of("/bin/sh"), temp);
        HelperProcess helper = new HelperProcess(full, directory, events());
        long started = System.nanoTime();

        assertThatThrownBy(() -> helper.run(
                        List.of("-c", "trap '' TERM; while :; do sleep 100 & wait; done"),
                        out -> out.write(1),
                        deadline(full.buildTimeout()),
                        CancelSignal.never()))
                .isInstanceOf(DeadlineExceededException.class)
                .hasMessageContaining("bundle_builder");

        assertThat(Duration.ofNanos(System.nanoTime() - started))
                .isBetween(Duration.ofSeconds(60), Duration.ofSeconds(80));
        assertThat(activePid).hasValue(0);
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void aHelperInheritsNoListeningSocket() throws Exception {
        CancelSource cancel = new CancelSource();
        int port;
        CompletableFuture<Void> done;
        try (ServerSocket listener = new ServerSocket(0)) {
            port = listener.getLocalPort();
            done = CompletableFuture.runAsync(() -> {
                try {
                    run("sleep 60", "p", Duration.ofSeconds(60), cancel);
                } catch (CancelledException expected) {
                    assertThat(expected.reason()).isEqualTo("stop");
                }
            });
            Awaitility.await("helper runs").until(() -> activePid.get() != 0);
        }

        try (ServerSocket again = new ServerSocket(port)) {
            assertThat(again.isBound()).isTrue();
        }
        cancel.cancel("stop");
        done.get();
    }

    @Test
    void aSecretNeverAppearsInTheSettingsText() {
        assertThat(new SubprocessCompiler.Seeds(new byte[32], new byte[32]).toString())
                .isEqualTo("Seeds[***]");
    }

    private HelperProcess.Output run(String script, String payload, Duration budget) {
        return run(script, payload, budget, CancelSignal.never());
    }

    private HelperProcess.Output run(String script, String payload, Duration budget, CancelSignal cancel) {
        return helper().run(
                        List.of("-c", script),
                        out -> out.write(payload.getBytes(StandardCharsets.UTF_8)),
                        deadline(budget),
                        cancel);
    }

    private HelperProcess helper() {
        SubprocessConfig config = new SubprocessConfig(
                List.of("/bin/sh"),
                temp,
                Duration.ofSeconds(60),
                Duration.ofMillis(500),
                Duration.ofMillis(250),
                1 << 20,
                1 << 16,
                false);
        return new HelperProcess(config, directory, events());
    }

    private HelperEvents events() {
        return new HelperEvents() {
            @Override
            public void count(Kind kind) {
                counts.merge(kind, 1, Integer::sum);
            }

            @Override
            public void running(long pid) {
                activePid.set(pid);
            }

            @Override
            public void gone(long pid) {
                activePid.compareAndSet(pid, 0);
            }
        };
    }

    private static Deadline deadline(Duration budget) {
        return Deadline.after(budget, MonotonicClock.system(), "test");
    }

    private List<String> leftovers() throws IOException {
        try (Stream<Path> files = Files.list(directory.path())) {
            return files.map(p -> p.getFileName().toString())
                    .filter(name -> !name.equals("owner"))
                    .toList();
        }
    }
}
