package org.prismpool.stratum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.prismpool.stratum.bench.BenchConfig;
import org.prismpool.stratum.bench.BenchReport;
import org.prismpool.stratum.bench.StratumBench;
import org.prismpool.stratum.testing.MinerJob;
import org.prismpool.stratum.testing.StratumTestClient;

/** Herds and parallel submitters: acceptance 48 to 50 in small, traps 3 and 39. */
class LoadIT {

    @Test
    void aHerdAboveTheCeilingLeavesExactlyTheCeiling() throws Exception {
        StratumConfig config =
                Pool.config(Pool.listener()).with(ConnectionLimits.defaults().withCeilings(60, 0, 0));
        try (Pool pool = Pool.started(config)) {
            List<StratumTestClient> clients = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                StratumTestClient client = pool.connect();
                clients.add(client);
                try {
                    client.sendRaw(login());
                } catch (java.net.SocketException refused) {
                    assertThat(i).isGreaterThanOrEqualTo(60);
                }
            }
            await("the admitted to be served").until(() -> pool.server.stats().authorized() == 60);
            assertThat(pool.metrics.count("refused:GLOBAL")).isEqualTo(40);
            pool.jobs.publish(JobPurpose.NEW_WORK);
            assertThat(pool.server.stats().activeConnections()).isEqualTo(60);
            for (StratumTestClient client : clients) {
                client.close();
            }
            await("all to be gone").until(() -> pool.server.stats().activeConnections() == 0);
        }
    }

    @Test
    void submittersRefreshesAndSweepsMakeProgressTogetherAndTheCountersAddUp() throws Exception {
        StratumConfig base = Pool.config(Pool.listener());
        StratumConfig config = base.with(new StratumConfig.DifficultyConfig(
                true, Duration.ofMillis(50), base.difficulty().resume()));
        try (Pool pool = Pool.started(config)) {
            int miners = 64;
            int each = 15;
            ExecutorService threads = Executors.newFixedThreadPool(miners + 1);
            CountDownLatch ready = new CountDownLatch(miners);
            AtomicBoolean done = new AtomicBoolean();
            try {
                List<Future<Integer>> results = new ArrayList<>();
                for (int i = 0; i < miners; i++) {
                    String user = WorkedExample.ADDRESS + ".m" + i;
                    results.add(threads.submit(() -> mine(pool, user, each, ready)));
                }
                Future<?> refresher = threads.submit(() -> {
                    while (!done.get()) {
                        pool.jobs.publish(JobPurpose.SAME_TIP);
                        java.util.concurrent.locks.LockSupport.parkNanos(50_000_000);
                    }
                });
                int accepted = 0;
                for (Future<Integer> result : results) {
                    accepted += result.get(60, TimeUnit.SECONDS);
                }
                done.set(true);
                refresher.get(10, TimeUnit.SECONDS);
                assertThat(pool.metrics.count("submitted")).isEqualTo(miners * each);
                assertThat(pool.metrics.count("accepted")).isEqualTo(accepted);
                assertThat(pool.metrics.count("submitted")).isEqualTo(accepted + pool.metrics.count("low-difficulty"));
                assertThat(pool.shares.shareCount()).isEqualTo(accepted);
            } finally {
                done.set(true);
                threads.shutdownNow();
            }
        }
    }

    private static int mine(Pool pool, String user, int count, CountDownLatch ready) throws Exception {
        int accepted = 0;
        try (StratumTestClient miner = pool.connect()) {
            MinerJob job = miner.login(user, "x");
            ready.countDown();
            for (int i = 0; i < count; i++) {
                String answer = miner.submit(
                        user,
                        job.jobId(),
                        String.format("%016x", i),
                        job.ntime(),
                        String.format("%08x", i * 7919),
                        java.util.Optional.empty());
                boolean good = answer.contains("\"result\": true");
                assertThat(good || answer.contains("low-difficulty")).as(answer).isTrue();
                accepted += good ? 1 : 0;
            }
        }
        return accepted;
    }

    @Test
    void theBenchmarkServesItsWholeStorm() throws Exception {
        BenchReport report = new StratumBench(BenchConfig.quick()).run();

        assertThat(report.stormServed()).isEqualTo(BenchConfig.quick().stormConnections());
        assertThat(report.stormFailed()).isZero();
        assertThat(report.submitsPerSecond()).isPositive();
        assertThat(report.fanoutLastMillis()).isFinite();
        assertThat(report.text()).contains("submits per second");
    }

    @Test
    void acksOfAMegabyteTemplateWaitForNobodyElsesSocket() throws Exception {
        acksOfALargeTemplate(300, Duration.ofSeconds(2), Duration.ofSeconds(5));
    }

    @Test
    @Tag("soak")
    void aThousandSharesASecondOnAMegabyteTemplateWaitForNobodyElsesSocket() throws Exception {
        acksOfALargeTemplate(1000, Duration.ofSeconds(30), Duration.ofMillis(500));
    }

    /** Acceptance 50: steady submits with vardiff beside a reader that stopped reading and is dropped after 20 s only. */
    private static void acksOfALargeTemplate(int perSecond, Duration length, Duration longest) throws Exception {
        int miners = 10;
        StratumConfig base = Pool.config(Pool.listener());
        StratumConfig config = base.with(new StratumConfig.DifficultyConfig(
                true, Duration.ofMillis(100), base.difficulty().resume()));
        try (Pool pool = Pool.started(config);
                StratumTestClient stuck = pool.connect()) {
            pool.work = WorkedExample.heavyWork(10, 100_000, "1f00ffff");
            stuck.login(WorkedExample.USER, "x");
            stuck.sendRaw(("{\"id\":\"" + "x".repeat(200) + "\",\"method\":\"mining.extranonce.subscribe\"}\n")
                    .repeat(2000)
                    .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
            ExecutorService threads = Executors.newFixedThreadPool(miners);
            try {
                long end = System.nanoTime() + length.toNanos();
                List<Future<Tally>> results = new ArrayList<>();
                for (int i = 0; i < miners; i++) {
                    String user = WorkedExample.ADDRESS + ".m" + i;
                    long pause = 1_000_000_000L * miners / perSecond;
                    results.add(threads.submit(() -> steady(pool, user, pause, end)));
                }
                int answered = 0;
                int accepted = 0;
                List<Long> waits = new ArrayList<>();
                for (Future<Tally> result : results) {
                    Tally tally = result.get(120, TimeUnit.SECONDS);
                    answered += tally.answered();
                    accepted += tally.accepted();
                    waits.addAll(tally.waitNanos());
                }
                java.util.Collections.sort(waits);
                assertThat(Duration.ofNanos(waits.get(waits.size() * 99 / 100)))
                        .as("99 of 100 acknowledgements")
                        .isLessThan(longest);
                assertThat(answered).isGreaterThan((int) (perSecond * length.toSeconds() / 4));
                assertThat(pool.metrics.count("submitted")).isEqualTo(answered);
                assertThat(pool.metrics.count("accepted")).isEqualTo(accepted);
                assertThat(accepted + pool.metrics.count("low-difficulty")).isEqualTo(answered);
                assertThat(pool.shares.shareCount()).isEqualTo(accepted);
            } finally {
                threads.shutdownNow();
            }
        }
    }

    /** What one miner saw. */
    private record Tally(int answered, int accepted, List<Long> waitNanos) {}

    private static Tally steady(Pool pool, String user, long pauseNanos, long endNanos) throws Exception {
        List<Long> waits = new ArrayList<>();
        int accepted = 0;
        try (StratumTestClient miner = pool.connect()) {
            MinerJob job = miner.login(user, "x");
            long due = System.nanoTime();
            while (System.nanoTime() < endNanos) {
                java.util.concurrent.locks.LockSupport.parkNanos(due - System.nanoTime());
                due += pauseNanos;
                long start = System.nanoTime();
                String answer = miner.submit(
                        user,
                        job.jobId(),
                        String.format("%016x", waits.size()),
                        job.ntime(),
                        "00000000",
                        java.util.Optional.empty());
                waits.add(System.nanoTime() - start);
                accepted += answer.contains("\"result\": true") ? 1 : 0;
            }
        }
        return new Tally(waits.size(), accepted, waits);
    }

    private static byte[] login() {
        return ("{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[]}\n{\"id\":2,\"method\":\"mining.authorize\","
                        + "\"params\":[\"" + WorkedExample.USER + "\",\"x\"]}\n")
                .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    }
}
