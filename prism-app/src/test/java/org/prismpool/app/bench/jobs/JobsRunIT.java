package org.prismpool.app.bench.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class JobsRunIT {

    @TempDir
    private Path directory;

    private static final JobsPlan.Lifetimes LIFETIMES =
            new JobsPlan.Lifetimes(Duration.ofSeconds(10), Duration.ofSeconds(2), Duration.ofSeconds(5));

    private static Latencies latencies(int builderMillis, int snapshotMillis) {
        return new Latencies(
                Duration.ofMillis(17),
                Duration.ofMillis(2),
                Duration.ofMillis(snapshotMillis),
                Duration.ofMillis(20),
                Duration.ofMillis(65),
                Duration.ofMillis(57),
                Duration.ofMillis(70),
                Duration.ofMillis(builderMillis));
    }

    private static JobsPlan plan(int clients, int flips, Latencies latencies, int herd, int storm, int pending) {
        return new JobsPlan(
                true, clients, flips, 1, 2000, 2, false, false, false, latencies, LIFETIMES, herd, storm, pending);
    }

    @Test
    void everyTipReachesEveryClientOnceAndNobodyIsLostInHerdOrStorm() throws Exception {
        List<String> progress = new ArrayList<>();
        JobsPlan plan = plan(20, 2, latencies(100, 40), 60, 40, 16);

        JobsResult result = new JobsRun(plan, progress::add).run(directory);

        assertThat(result.flips()).hasSize(2).allSatisfy(flip -> {
            assertThat(flip.deliveries()).hasSize(20);
            // Builder and window read stand one after the other, whatever else overlaps.
            assertThat(Duration.ofNanos(flip.first())).isGreaterThanOrEqualTo(Duration.ofMillis(140));
            assertThat(flip.floor()).isBetween(Duration.ofMillis(140).toNanos(), flip.wall());
        });
        assertThat(result.templateCalls()).as("one template for each tip").isEqualTo(2);
        JobsResult.Storm storm = result.storm().orElseThrow();
        assertThat(storm.joined().lost()).isZero();
        assertThat(Duration.ofNanos(storm.admissionNanos()))
                .as("not parked behind the storm")
                .isLessThan(Duration.ofSeconds(5));
        JobsResult.Herd herd = result.herd().orElseThrow();
        assertThat(herd.lost()).isZero();
        assertThat(herd.last().nanos()).hasSize(60);
        JsonNode report = JobsReport.json(plan, result);
        assertThat(report.path("schema").asText()).isEqualTo("qbit.prism.job-build-benchmark.v1");
        assertThat(report.path("full_refresh_wall_seconds").path("n").asInt()).isEqualTo(2);
        assertThat(report.path("getblocktemplate_calls").asLong()).isEqualTo(2);
        assertThat(progress).isNotEmpty();
    }

    /** The bounds of the herd are meant for four cores; the measuring clients share them. */
    private static Duration onThisMachine(Duration bound) {
        int cores = Runtime.getRuntime().availableProcessors();
        return bound.multipliedBy(Math.max(1, 4 / cores));
    }

    @Test
    @Tag("soak")
    void aHerdOf1024ComesBackWholeWithinASecond() throws Exception {
        JobsPlan plan = plan(10, 0, Latencies.NONE, 1024, 0, 1024);

        JobsResult.Herd herd =
                new JobsRun(plan, line -> {}).run(directory).herd().orElseThrow();

        assertThat(herd.lost()).isZero();
        assertThat(Duration.ofNanos(new Spread(herd.last().nanos()).at(0.95)))
                .isLessThan(onThisMachine(Duration.ofSeconds(1)));
    }

    @Test
    @Tag("soak")
    void aStormOf640AtABoundOf128LeavesThePublicationAlone() throws Exception {
        JobsPlan plan = plan(10, 3, latencies(1000, 440), 0, 640, 128);

        JobsResult result = new JobsRun(plan, line -> {}).run(directory);

        JobsResult.Storm storm = result.storm().orElseThrow();
        assertThat(storm.joined().lost()).isZero();
        assertThat(Duration.ofNanos(storm.admissionNanos() - storm.calmAdmissionNanos()))
                .isLessThan(Duration.ofMillis(100));
    }
}
