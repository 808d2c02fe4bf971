package org.prismpool.delivery.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.prismpool.delivery.DeliveryConfig;
import org.prismpool.delivery.DeliveryListener;
import org.prismpool.delivery.DeliveryMetrics;
import org.prismpool.delivery.DeliveryPorts;
import org.prismpool.delivery.FanoutCall;
import org.prismpool.delivery.FanoutSummary;
import org.prismpool.delivery.IssuedJob;
import org.prismpool.delivery.TipChange;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.Deadline;

/** A delivery engine with clients in memory and a clock that the test moves; the timer is ticked by hand. */
final class DeliveryRig implements DeliveryMetrics, DeliveryListener, FanoutCall.FanoutChecks {

    final ManualClock clock = new ManualClock();
    final FakeWork work = new FakeWork();
    final Map<Long, FakeTarget> targets = new HashMap<>();
    final Map<FirstJobResult, Integer> firstJobs = new EnumMap<>(FirstJobResult.class);
    final Map<Stage, Integer> cancelled = new EnumMap<>(Stage.class);
    final List<Long> coverageNanos = new ArrayList<>();
    final List<IssuedJob<?>> proofs = new CopyOnWriteArrayList<>();
    final CancelSource cancel = new CancelSource();
    final DeliveryEngine<String, String> engine;
    int rejected;
    int timedOut;
    int reclaimed;
    int evictedConnection;
    int evictedDisconnected;
    int refreshWanted;
    boolean tokenCurrent = true;
    Optional<String> liveRefusal = Optional.empty();
    int liveChecks;
    int progress;
    Runnable onProgress = () -> {};

    DeliveryRig() {
        this(DeliveryConfig.defaults());
    }

    DeliveryRig(DeliveryConfig config) {
        engine = new DeliveryEngine<>(config, new DeliveryPorts<>(work, work, this, this, clock));
    }

    FakeTarget connect(long id) {
        FakeTarget target = new FakeTarget(id);
        targets.put(id, target);
        engine.connected(target);
        return target;
    }

    FakeTarget client(long id) {
        return Objects.requireNonNull(targets.get(id));
    }

    /** Connects clients and gives them the current work. */
    DeliveryRig served(int clients) {
        for (int id = 1; id <= clients; id++) {
            connect(id);
        }
        fanOut();
        return this;
    }

    void publish(String tip) {
        String before = work.tip;
        work.publish(tip);
        engine.tipPublished(new TipChange(tip, Optional.of(before), java.util.OptionalLong.of(clock.nanoTime())));
    }

    void pass(Duration time) {
        long steps = Math.max(1, time.toMillis() / 50);
        for (long step = 0; step < steps; step++) {
            clock.advance(time.dividedBy(steps));
            engine.tick();
        }
    }

    FanoutCall<String> call(Duration deadline) {
        List<FanoutCall.Item<String>> items = engine.select(work.query()).stream()
                .filter(view -> view.needsWork())
                .map(view -> new FanoutCall.Item<>(view.connectionId(), view.activeJobId(), work.current()))
                .toList();
        return new FanoutCall<>(items, 16, this, cancel, Deadline.after(deadline, clock, "test"));
    }

    FanoutSummary fanOut() {
        return run(call(Duration.ofSeconds(90)));
    }

    FanoutSummary run(FanoutCall<String> call) {
        try {
            return engine.fanOut(call);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Override
    public boolean current() {
        return tokenCurrent;
    }

    @Override
    public void progress() {
        progress++;
        onProgress.run();
    }

    @Override
    public Optional<String> liveCheck(boolean beforeSubmission) {
        liveChecks += beforeSubmission ? 0 : 1;
        return liveRefusal;
    }

    @Override
    public synchronized void firstJob(FirstJobResult result) {
        firstJobs.merge(result, 1, Integer::sum);
    }

    synchronized int firstJobs(FirstJobResult result) {
        return firstJobs.getOrDefault(result, 0);
    }

    @Override
    public synchronized void firstJobRejected() {
        rejected++;
    }

    @Override
    public synchronized void firstJobTimedOut() {
        timedOut++;
    }

    @Override
    public synchronized void queueCapacityReclaimed() {
        reclaimed++;
    }

    @Override
    public synchronized void cancelled(Stage stage) {
        cancelled.merge(stage, 1, Integer::sum);
    }

    synchronized int cancelledAt(Stage stage) {
        return cancelled.getOrDefault(stage, 0);
    }

    @Override
    public void retainedEvicted(boolean disconnected) {
        if (disconnected) {
            evictedDisconnected++;
        } else {
            evictedConnection++;
        }
    }

    @Override
    public void coverage(int percent, long nanos) {
        coverageNanos.add(nanos);
    }

    @Override
    public void delivered(IssuedJob<?> job) {
        proofs.add(job);
    }

    @Override
    public void refreshWanted() {
        refreshWanted++;
    }
}
