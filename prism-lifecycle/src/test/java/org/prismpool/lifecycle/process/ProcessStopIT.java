package org.prismpool.lifecycle.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.lifecycle.testing.TestThreads;

/** Ends of real processes. */
class ProcessStopIT {

    @TempDir
    private Path folder;

    private final List<String> output = new CopyOnWriteArrayList<>();
    private final List<Process> processes = new CopyOnWriteArrayList<>();
    private CompletableFuture<Boolean> reading = CompletableFuture.completedFuture(true);

    @AfterEach
    void killWhatIsLeft() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    void aSignalUnderLoadCommitsWhatIsAdmittedReleasesTheLeaseAndExitsWithZero() throws Exception {
        Process process = start("load");
        await().until(() -> journal().size() > 20);

        terminate(process);

        assertThat(exitCode(process)).isZero();
        assertThat(folder.resolve("lease")).doesNotExist();
        List<String> journal = journal();
        assertThat(journal.get(journal.size() - 1)).isEqualTo("released");
        assertThat(journal).containsOnlyOnce("released");
        assertThat(events())
                .containsSubsequence(
                        "shutdown_start",
                        "writer_quiescence",
                        "lease_release_attempt",
                        "lease_release",
                        "non_writer_drain");
        assertThat(String.join("\n", output)).contains("\"signal\":15", "\"sigterm_to_release_seconds\":0.");
    }

    @Test
    void aRepeatedSignalChangesNothing() throws Exception {
        Process process = start("load");
        await().until(() -> journal().size() > 20);

        terminate(process);
        terminate(process);

        assertThat(exitCode(process)).isZero();
        assertThat(journal()).containsOnlyOnce("released");
        assertThat(events()).containsOnlyOnce("shutdown_start");
    }

    @Test
    void aWriterThatHangsKeepsTheLeaseAndTheExitIsStillZero() throws Exception {
        Process process = start("writer-hangs");
        await().until(() -> journal().size() == 1);

        terminate(process);

        assertThat(exitCode(process)).isZero();
        assertThat(folder.resolve("lease")).exists();
        assertThat(journal()).doesNotContain("released");
        assertThat(String.join("\n", output))
                .contains("{\"active_operations\":1,\"component\":\"share_persistence\","
                        + "\"event\":\"lease_release_withheld\",\"reason\":\"writer_quiescence_timeout\"}");
    }

    @Test
    void aHungDatabaseEndsTheProcessAndTheLeaseGoesOverAFreshConnection() throws Exception {
        Process process = start("database-hangs");

        assertThat(exitCode(process)).isOne();
        assertThat(folder.resolve("lease")).doesNotExist();
        assertThat(journal()).containsOnlyOnce("released");
        assertThat(String.join("\n", output))
                .contains("\"event\":\"watchdog_fatal_exit\"", "\"reason\":\"liveness\"", "row_writer timeout=0.4")
                .contains("lease_handled=true");
    }

    @Test
    void aDatabaseThatHangsForTheReleaseTooDoesNotHoldTheExitBeyondItsBudget() throws Exception {
        Process process = start("database-hangs-for-all");
        await().until(() -> journal().size() == 5);
        long hung = System.nanoTime();

        assertThat(exitCode(process)).isOne();

        // 0.4 s until it counts as stuck, 0.05 s to the next look, 1 s for the release; the rest is this machine
        assertThat(Duration.ofNanos(System.nanoTime() - hung)).isLessThan(Duration.ofSeconds(10));
        assertThat(folder.resolve("lease")).exists();
    }

    @Test
    void aLogPipeThatNobodyReadsDoesNotHoldTheExit() throws Exception {
        Process process = startUnread("log-is-blocked");

        assertThat(exitCode(process)).isOne();
        assertThat(journal()).containsOnlyOnce("released");
    }

    @Test
    void aSignalDuringTheLeaseWaitEndsTheStartAndLeavesTheOtherHolderAlone() throws Exception {
        Files.writeString(folder.resolve("lease"), "held by another");
        Process process = startUntil("load", "waiting for the lease");

        terminate(process);

        assertThat(exitCode(process)).isZero();
        assertThat(folder.resolve("lease")).hasContent("held by another");
        assertThat(events()).contains("lease_release");
        assertThat(String.join("\n", output)).contains("\"outcome\":\"unsupported\"");
    }

    private Process start(String scenario) throws IOException {
        return startUntil(scenario, "ready");
    }

    private Process startUntil(String scenario, String line) throws IOException {
        Process process = startUnread(scenario);
        reading = TestThreads.run("output-of-" + scenario, () -> {
            try (BufferedReader reader =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                String read = reader.readLine();
                while (read != null) {
                    output.add(read);
                    read = reader.readLine();
                }
            }
            return true;
        });
        await(scenario).atMost(Duration.ofSeconds(30)).until(() -> output.contains(line));
        return process;
    }

    private Process startUnread(String scenario) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx64m",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                        "-cp",
                        System.getProperty("java.class.path"),
                        DemoProcess.class.getName(),
                        folder.toString(),
                        scenario)
                .redirectErrorStream(true)
                .start();
        processes.add(process);
        return process;
    }

    /** Sends SIGTERM; unlike {@link Process#destroy} it leaves the output open. */
    private static void terminate(Process process) {
        assertThat(process.toHandle().destroy()).isTrue();
    }

    private int exitCode(Process process) throws Exception {
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("the process ends").isTrue();
        TestThreads.result(reading);
        return process.exitValue();
    }

    private List<String> journal() throws IOException {
        Path journal = folder.resolve("journal");
        return Files.exists(journal) ? Files.readAllLines(journal) : List.of();
    }

    /** The events told so far, by name. */
    private List<String> events() {
        return output.stream()
                .filter(line -> line.contains("\"event\":\""))
                .map(line -> line.replaceFirst(".*\"event\":\"([a-z_]+)\".*", "$1"))
                .toList();
    }
}
