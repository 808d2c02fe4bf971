package org.prismpool.bundle.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.prismpool.bundle.BuildSource;
import org.prismpool.bundle.BuildWatch;
import org.prismpool.bundle.BundleException;
import org.prismpool.bundle.BundleFailure;
import org.prismpool.bundle.BundleMode;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.time.Deadline;

/** Completions, sweeps, displacements and departures from a common barrier on real threads, many times over. */
@Timeout(60)
class BundleSchedulerRaceTest {

    private static final int ROUNDS = 400;
    private static final int CALLERS = 4;

    private final ManualClock clock = new ManualClock();
    private final ExecutorService builders = Executors.newFixedThreadPool(2);
    private final ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final BundleScheduler<String> scheduler =
            new BundleScheduler<>(builders, Duration.ofMillis(250), listener(), clock);

    @AfterEach
    void stop() {
        callers.shutdownNow();
        builders.shutdownNow();
    }

    @Test
    void everyPromiseResolvesOnceAndNoPlaceIsLostHoweverRequestsSweepsAndEndsInterleave() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            CyclicBarrier start = new CyclicBarrier(CALLERS);
            List<Future<String>> answers = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                String key = round + "-" + caller % 3;
                boolean critical = caller % 2 == 0;
                boolean leaves = caller == 3;
                answers.add(callers.submit(() -> ask(start, key, critical, leaves)));
            }
            for (Future<String> answer : answers) {
                assertThat(answer.get(10, TimeUnit.SECONDS)).isIn("own result", "superseded");
            }
            clock.advance(Duration.ofMillis(700)); // so that sweeps see old and new stamps
        }

        Awaitility.await("places are free")
                .untilAsserted(() -> assertThat(scheduler.state().running()).isEmpty());
        assertThat(scheduler.state().pending()).isEmpty();
        assertThat(most.get()).isLessThanOrEqualTo(2);
        assertThat(running).hasValue(0);
    }

    private String ask(CyclicBarrier start, String key, boolean critical, boolean leaves) throws Exception {
        FlightKey flight = new FlightKey(BundleMode.READY, key, key, key, Optional.empty());
        start.await();
        BundleScheduler.Admission<String> admission = scheduler.submit(
                new BundleScheduler.Entry(flight, critical, BuildSource.ROUTINE, false),
                false,
                new BuildControl(Deadline.after(Duration.ofHours(10), clock, "test"), clock),
                control -> key);
        CompletableFuture<String> copy = admission.future();
        if (leaves) {
            admission.leave().run();
            admission.leave().run(); // leaving twice is leaving once
        }
        try {
            assertThat(copy.get(10, TimeUnit.SECONDS)).isEqualTo(key);
            return "own result";
        } catch (ExecutionException failed) {
            assertThat(failed.getCause()).isInstanceOf(BundleException.class);
            assertThat(((BundleException) failed.getCause()).failure()).isEqualTo(BundleFailure.SUPERSEDED);
            return "superseded";
        }
    }

    private SchedulerListener listener() {
        return new SchedulerListener() {
            @Override
            public void count(SchedulerCount counter) {}

            @Override
            public void joined() {}

            @Override
            public void cancellation(long nanos) {}

            @Override
            public void replacementStart(long nanos) {}

            @Override
            public BuildWatch.Running buildBegan() {
                int now = running.incrementAndGet();
                most.accumulateAndGet(now, Math::max);
                return running::decrementAndGet;
            }

            @Override
            public void buildEnded(long nanos) {}
        };
    }
}
