package org.prismpool.app.composition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.app.bench.jobs.MeasuredPool;
import org.prismpool.app.bench.jobs.SyntheticShares;
import org.prismpool.app.bench.jobs.WireClients;
import org.prismpool.app.composition.backend.Backends;
import org.prismpool.bundle.compile.BundleCompiler;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.stratum.testing.MinerJob;
import org.prismpool.stratum.testing.StratumTestClient;
import org.prismpool.templates.chain.Hash256;

/**
 * The whole pipeline with its default bounds, on the development node and on a clock that the test moves ahead: what takes
 * minutes in a pool takes a moment here (spec 07 §3.2, §7.1, §7.2).
 */
@Timeout(180)
class PoolOnAMovedClockIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration SOON = Duration.ofSeconds(45);
    private static final int CLIENTS = 3;

    @TempDir
    private Path directory;

    private final MovedClock clock = new MovedClock();
    private final AtomicBoolean hanging = new AtomicBoolean();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch never = new CountDownLatch(1);
    private final List<AutoCloseable> closing = new ArrayList<>();

    /** Runs like any clock, and jumps. */
    private static final class MovedClock implements MonotonicClock {

        private final AtomicLong ahead = new AtomicLong();

        @Override
        public long nanoTime() {
            return System.nanoTime() + ahead.get();
        }

        void jump(Duration time) {
            ahead.addAndGet(time.toNanos());
        }
    }

    @AfterEach
    void close() throws Exception {
        hanging.set(false);
        for (int i = closing.size() - 1; i >= 0; i--) {
            closing.get(i).close();
        }
    }

    private MeasuredPool start(Map<String, String> settings) throws Exception {
        Map<String, String> all = new HashMap<>(Map.of(
                "PRISM_STRATUM_VARDIFF",
                "0",
                "PRISM_BLOCKPOLL_SECONDS",
                "0.5",
                "PRISM_TEMPLATE_REFRESH_FAILURE_EXIT_SECONDS",
                "0"));
        all.putAll(settings);
        UnaryOperator<Ledger> shares = ledger -> {
            SyntheticShares.append(ledger.shares(), 50, 2, System.currentTimeMillis());
            return ledger;
        };
        UnaryOperator<BundleCompiler> gated = compiler -> (input, deadline, cancel, progress) -> {
            Deadline minute = deadline.within(Duration.ofSeconds(60), "bundle_builder"); // as every compiler has it
            while (hanging.get() && !minute.expired() && !cancel.cancelled()) {
                entered.countDown();
                pause();
            }
            minute.check("bundle_builder");
            return compiler.compile(input, deadline, cancel, progress);
        };
        MeasuredPool pool = MeasuredPool.open(directory, all, new Backends(shares, gated), PoolEvents.NONE, clock);
        closing.add(pool);
        pool.start();
        return pool;
    }

    /** What a hung build does: nothing, until it is told to end. */
    private void pause() {
        try {
            assertThat(never.await(5, TimeUnit.MILLISECONDS)).isFalse();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", stopped);
        }
    }

    /** A miner sees its job a moment before the pool has booked it; a jump in between would outdate the request. */
    private static void awaitFirstJobsBooked(MeasuredPool pool, int jobs) {
        await("first jobs booked")
                .atMost(SOON)
                .untilAsserted(() -> assertThat(pool.get("/metrics").body())
                        .contains("qbit_prism_initial_job_requests_total{result=\"sent\"} " + jobs + "\n"));
    }

    private static JsonNode driver(MeasuredPool pool) throws IOException, InterruptedException {
        return JSON.readTree(pool.get("/healthz").body()).path("qbit_blockpoll");
    }

    private static String tipOnTheWire(MeasuredPool pool) {
        Hash256 tip = pool.node().control().tip().hash();
        StringBuilder words = new StringBuilder();
        for (int at = 56; at >= 0; at -= 8) {
            words.append(tip.displayHex(), at, at + 8);
        }
        return words.toString();
    }

    @Test
    void aHungBuildShowsItsAgeEndsAtItsMinuteAndTheNextAttemptPublishesTheNewestTip() throws Exception {
        MeasuredPool pool =
                start(Map.of("PRISM_JOB_BUILD_TIMEOUT_SECONDS", "85")); // the waiter's bound is not in the way
        WireClients clients = new WireClients(pool.stratumPort(), CLIENTS, 2);
        closing.add(clients);
        assertThat(clients.join(0, CLIENTS, SOON).lost()).isZero();
        awaitFirstJobsBooked(pool, CLIENTS);
        String before = clients.commonParent(0, CLIENTS);

        hanging.set(true);
        pool.node().control().mine(1);
        assertThat(entered.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        clock.jump(Duration.ofSeconds(30));

        await("age of the hung phase").atMost(SOON).untilAsserted(() -> {
            assertThat(driver(pool).path("phase").asText()).isEqualTo("bundle_construction");
            assertThat(driver(pool).path("blocked_phase_seconds").asDouble()).isGreaterThan(30);
        });
        await("a heartbeat after the jump")
                .atMost(SOON)
                .until(() -> pool.coordinator().heartbeats().ages().get("qbit_blockpoll"), age -> age.toSeconds() < 5);
        assertThat(pool.get("/metrics").body())
                .contains("qbit_prism_blockpoll_timeouts_total{phase=\"bundle_builder\"} 0");
        clock.jump(Duration.ofSeconds(31));
        await("the build's timeout")
                .atMost(SOON)
                .untilAsserted(() -> assertThat(pool.get("/metrics").body())
                        .containsPattern("qbit_prism_blockpoll_timeouts_total\\{phase=\"bundle_builder\"\\} [1-9]"));
        assertThat(clients.commonParent(0, CLIENTS)).isEqualTo(before);

        hanging.set(false);
        pool.node().control().mine(1);
        await("the newest tip")
                .atMost(SOON)
                .untilAsserted(
                        () -> assertThat(clients.commonParent(0, CLIENTS)).isEqualTo(tipOnTheWire(pool)));
        assertThat(pool.coordinator().stopRequested()).isFalse();
    }

    @Test
    void aSilentChainGivesAMinerItsWorkAgainAfterAMinute() throws Exception {
        MeasuredPool pool = start(Map.of());
        try (StratumTestClient miner = StratumTestClient.connect(pool.stratumPort())) {
            MinerJob first = miner.login(SyntheticShares.miner(0).text() + ".rig", "x");
            awaitFirstJobsBooked(pool, 1);

            clock.jump(Duration.ofSeconds(61));

            MinerJob again = miner.nextJob();
            assertThat(again.prevhash()).isEqualTo(first.prevhash());
            assertThat(again.jobId()).isNotEqualTo(first.jobId());
            assertThat(again.clean()).isFalse();
        }
    }

    @Test
    void aFirstJobThatIsNotDeliverableForThirtySecondsClosesItsConnection() throws Exception {
        MeasuredPool pool = start(Map.of("PRISM_MIN_READY_MINERS", "100"));
        try (StratumTestClient newcomer = StratumTestClient.connect(pool.stratumPort())) {
            hanging.set(true);
            String user = SyntheticShares.miner(0).text() + ".rig";
            newcomer.request("mining.subscribe", "[\"test/1\"]");
            newcomer.send("mining.authorize", "[\"" + user + "\", \"x\"]");
            assertThat(entered.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();

            clock.jump(Duration.ofSeconds(31));

            assertThat(newcomer.readToEnd())
                    .as("closed without a job")
                    .noneMatch(line -> line.contains("mining.notify"));
            await("counted")
                    .atMost(SOON)
                    .untilAsserted(() -> assertThat(pool.get("/metrics").body())
                            .contains("qbit_prism_stratum_initial_job_timeouts_total 1\n"));
        }
    }
}
