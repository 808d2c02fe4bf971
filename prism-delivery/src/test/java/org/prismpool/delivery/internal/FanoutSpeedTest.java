package org.prismpool.delivery.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.prismpool.delivery.DeliveryConfig;
import org.prismpool.delivery.DeliveryListener;
import org.prismpool.delivery.DeliveryMetrics;
import org.prismpool.delivery.DeliveryPorts;
import org.prismpool.delivery.FanoutCall;
import org.prismpool.delivery.FanoutSummary;
import org.prismpool.delivery.Generations;
import org.prismpool.delivery.IssuedJob;
import org.prismpool.delivery.JobTarget;
import org.prismpool.delivery.PreparedWork;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;

/** Span of a fan-out over real event-loop threads: the bound is wide, the measured number goes to the report. */
class FanoutSpeedTest implements FanoutCall.FanoutChecks {

    private final List<ExecutorService> loops = new ArrayList<>();

    @AfterEach
    void stop() {
        loops.forEach(ExecutorService::shutdownNow);
    }

    @ParameterizedTest
    @ValueSource(ints = {250, 2_000})
    void aFanoutOverTwoEventLoopsIsShort(int clients) throws Exception {
        loops.add(Executors.newSingleThreadExecutor());
        loops.add(Executors.newSingleThreadExecutor());
        FakeWork work = new FakeWork();
        DeliveryEngine<String, String> engine = new DeliveryEngine<>(
                DeliveryConfig.defaults(),
                new DeliveryPorts<>(
                        work, work, new DeliveryListener() {}, new DeliveryMetrics() {}, MonotonicClock.system()));
        for (int id = 1; id <= clients; id++) {
            engine.connected(new LoopTarget(id, loops.get(id % 2)));
        }
        long best = Long.MAX_VALUE;
        for (int round = 0; round < 8; round++) {
            work.publish("tip " + round);
            FanoutSummary summary = engine.fanOut(call(engine, work));
            assertThat(summary.sent()).isEqualTo(clients);
            long span = summary.lastDeliveryNanos().orElseThrow()
                    - summary.firstSubmissionNanos().orElseThrow();
            best = Math.min(best, span);
        }

        System.out.println("fan-out span, best of 8, " + clients + " clients: " + best / 1_000 + " us");
        assertThat(Duration.ofNanos(best)).isLessThan(Duration.ofSeconds(2));
    }

    private FanoutCall<String> call(DeliveryEngine<String, String> engine, FakeWork work) {
        PreparedWork<String> prepared = work.current();
        return new FanoutCall<>(
                engine.select(work.query()).stream()
                        .map(view -> new FanoutCall.Item<>(view.connectionId(), view.activeJobId(), prepared))
                        .toList(),
                16,
                this,
                CancelSignal.never(),
                Deadline.after(Duration.ofSeconds(60), MonotonicClock.system(), "speed"));
    }

    @Override
    public boolean current() {
        return true;
    }

    @Override
    public void progress() {
        // nobody watches
    }

    @Override
    public Optional<String> liveCheck(boolean beforeSubmission) {
        return Optional.empty();
    }

    /** A client on a shared single-thread event loop whose socket takes everything. */
    private record LoopTarget(long id, ExecutorService loop) implements JobTarget<String, String> {

        @Override
        public TargetState state() {
            return new TargetState(id, new Generations(1, 0, "worker"), true, false, id);
        }

        @Override
        public void execute(Runnable task) {
            loop.execute(task);
        }

        @Override
        public String stamp(PreparedWork<String> work, String jobId, boolean clean) {
            return jobId;
        }

        @Override
        public CompletionStage<Boolean> send(IssuedJob<String> job, BooleanSupplier stillWanted) {
            return CompletableFuture.completedFuture(true);
        }

        @Override
        public void disconnect(DisconnectReason reason) {
            throw new IllegalStateException("nobody is to be disconnected: " + reason);
        }
    }
}
