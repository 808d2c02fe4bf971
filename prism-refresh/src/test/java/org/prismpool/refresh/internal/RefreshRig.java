package org.prismpool.refresh.internal;

import static org.prismpool.refresh.internal.FakeChain.hash;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.prismpool.refresh.FailureKind;
import org.prismpool.refresh.FanoutReport;
import org.prismpool.refresh.PublishedTip;
import org.prismpool.refresh.PublishedWork;
import org.prismpool.refresh.RefreshClocks;
import org.prismpool.refresh.RefreshCompanions;
import org.prismpool.refresh.RefreshConfig;
import org.prismpool.refresh.RefreshEpoch;
import org.prismpool.refresh.RefreshHeartbeat;
import org.prismpool.refresh.RefreshListener;
import org.prismpool.refresh.RefreshMetrics;
import org.prismpool.refresh.RefreshPorts;
import org.prismpool.refresh.TimeoutLabel;
import org.prismpool.refresh.WaveOutcome;
import org.prismpool.templates.chain.Hash256;

/** A refresh engine with fakes on every side and simulated time. */
@NullUnmarked // test state is filled as it goes
final class RefreshRig implements RefreshListener, RefreshMetrics, RefreshHeartbeat {

    static final Hash256 A = hash(0xA);
    static final Hash256 B = hash(0xB);
    static final Hash256 C = hash(0xC);

    final SimulatedTime time = new SimulatedTime();
    final FakeChain chain = new FakeChain(time, A);
    final FakeGate gate = new FakeGate(time);
    final FakeBuilder builder = new FakeBuilder(time, gate);
    final FakeFanout fanout = new FakeFanout(time);
    final List<WaveOutcome> waves = new ArrayList<>();
    final Map<TimeoutLabel, Integer> timeouts = new EnumMap<>(TimeoutLabel.class);
    final Map<GenerationOutcome, Integer> generations = new EnumMap<>(GenerationOutcome.class);
    final List<ReconcileSource> lookups = new ArrayList<>();
    final List<PublishedTip> published = new ArrayList<>();
    final List<RefreshEpoch> epochs = new ArrayList<>();
    final List<Hash256> seen = new ArrayList<>();
    final List<String> removedHeartbeats = new ArrayList<>();
    final List<String> ends = new ArrayList<>();
    final List<Long> fatal = new ArrayList<>();
    final List<FanoutReport> reports = new ArrayList<>();
    final List<Duration> attempts = new ArrayList<>();
    final RefreshEngine<String, String> engine;
    boolean ready = true;
    int postAcceptFailures;
    long lastBeatNanos;
    long longestGapNanos;

    RefreshRig() {
        this(RefreshConfig.defaults(), RefreshCompanions.none());
    }

    RefreshRig(RefreshConfig config) {
        this(config, RefreshCompanions.none());
    }

    RefreshRig(RefreshConfig config, RefreshCompanions companions) {
        engine = new RefreshEngine<>(
                config,
                new RefreshPorts<>(chain, chain, builder, gate, fanout),
                companions
                        .withCandidates(seen::add)
                        .withReadiness(deadline -> ready)
                        .withHeartbeat(this)
                        .withListener(this)
                        .withMetrics(this),
                new RefreshClocks(
                        time.clock, () -> Instant.ofEpochSecond(1_800_000_000).plus(time.now()), () -> 0.5),
                time);
    }

    static RefreshConfig epochMode() {
        return RefreshConfig.defaults().with(new RefreshConfig.Wave(true, 16, true));
    }

    /** Publishes tip A to everyone. */
    RefreshRig settled(int clients) {
        fanout.connect(clients);
        engine.attemptNow();
        fanout.sent.clear();
        waves.clear();
        builder.builds.clear();
        reports.clear();
        return this;
    }

    Hash256 publishedTip() {
        return engine.authority().published().orElseThrow().hash();
    }

    /** Runs the driver as its thread would, until an instant. */
    void driveUntil(Duration instant) {
        try {
            while (true) {
                time.horizon = Optional.of(instant);
                if (!engine.awaitTrigger()) {
                    return;
                }
                time.horizon = Optional.empty();
                attempts.add(time.now());
                engine.attemptNow();
            }
        } catch (SimulatedTime.HorizonReached reached) {
            time.horizon = Optional.empty();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    int timeouts(TimeoutLabel label) {
        return timeouts.getOrDefault(label, 0);
    }

    int generations(GenerationOutcome outcome) {
        return generations.getOrDefault(outcome, 0);
    }

    @Override
    public void wave(WaveOutcome outcome, long nanos) {
        waves.add(outcome);
    }

    @Override
    public void timeout(TimeoutLabel label) {
        timeouts.merge(label, 1, Integer::sum);
    }

    @Override
    public void generation(GenerationOutcome outcome) {
        generations.merge(outcome, 1, Integer::sum);
    }

    @Override
    public void reconcileLookup(ReconcileSource source) {
        lookups.add(source);
    }

    @Override
    public void fanout(FanoutReport report, long attemptNanos) {
        reports.add(report);
    }

    @Override
    public void postAcceptFailure() {
        postAcceptFailures++;
    }

    @Override
    public void published(PublishedTip tip, PublishedWork<?, ?> work, boolean tipChanged) {
        published.add(tip);
    }

    @Override
    public void epochMinted(RefreshEpoch epoch) {
        epochs.add(epoch);
    }

    @Override
    public void attemptCompleted() {
        ends.add("completed");
    }

    @Override
    public void attemptFailed(FailureKind kind) {
        ends.add(kind.name());
    }

    @Override
    public void failureBudgetExpired(long failingSeconds) {
        fatal.add(failingSeconds);
    }

    @Override
    public void beat(String name) {
        long now = time.clock.nanoTime();
        longestGapNanos = Math.max(longestGapNanos, now - lastBeatNanos);
        lastBeatNanos = now;
    }

    @Override
    public void remove(String name) {
        removedHeartbeats.add(name);
    }
}
