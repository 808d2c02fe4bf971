package org.prismpool.lifecycle.health;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * Follows work from the node's template to the miners and judges whether it gets there in time, from memory and monotonic
 * time alone.
 *
 * <p>Thread-safe: one monitor guards the state and is never held while the client count runs. Source: spec 08 section 5.
 */
public final class ProgressHealth {

    private final MonotonicClock clock;
    private final HealthDeadlines deadlines;
    private final ProgressState state; // guarded by this

    /**
     * Starts the clocks: nothing is published yet.
     *
     * @param clock monotonic clock of all ages
     * @param deadlines limits of the verdict
     */
    public ProgressHealth(MonotonicClock clock, HealthDeadlines deadlines) {
        this.clock = Objects.requireNonNull(clock, "clock");
        this.deadlines = Objects.requireNonNull(deadlines, "deadlines");
        this.state = new ProgressState(clock.nanoTime());
    }

    /**
     * Records a coherent poll of tip and template; ignored if newer work is known.
     *
     * @param work work that the node has now
     * @param observedNanos reading of the clock when the poll was answered
     */
    public synchronized void tipObserved(WorkGeneration work, long observedNanos) {
        state.tipObserved(work, observedNanos);
    }

    /**
     * Records that the payout state has moved on; ignored if a newer generation is known.
     *
     * @param generation the new payout generation
     * @param nanos reading of the clock when it moved
     */
    public synchronized void payoutInvalidated(long generation, long nanos) {
        state.payoutInvalidated(generation, nanos);
    }

    /**
     * Records that a refresh is owed whatever the generations say.
     *
     * @param nanos reading of the clock when it became owed
     */
    public synchronized void refreshPending(long nanos) {
        state.refreshPending(nanos);
    }

    /**
     * Records that work was published.
     *
     * @param work the work
     * @param matchesLatestTip whether its parent is the newest tip known
     * @return false if it is older than what is published, and so ignored
     */
    public synchronized boolean published(WorkGeneration work, boolean matchesLatestTip) {
        return state.published(work, matchesLatestTip);
    }

    /**
     * Records that a job was written to a miner.
     *
     * @param proof what was delivered
     * @param readyRequired whether the pool is ready, so that collection work does not count
     * @param matchesLatestTip whether its parent is the newest tip known
     * @return false if it is not the current work, and so proves nothing
     */
    public synchronized boolean delivered(DeliveryProof proof, boolean readyRequired, boolean matchesLatestTip) {
        return state.delivered(proof, readyRequired, matchesLatestTip);
    }

    /**
     * Records that a refresh began.
     *
     * @return handle for its signs of life and its end
     */
    public RefreshToken startRefresh() {
        synchronized (this) {
            state.refreshStarted(clock.nanoTime());
        }
        return new RunningRefresh();
    }

    /**
     * Records that a build began; also one that was disowned counts until it ends.
     *
     * @return handle for its end, however it ends
     */
    public BuildToken startBuild() {
        long token;
        synchronized (this) {
            token = state.buildStarted(clock.nanoTime());
        }
        return () -> finishBuild(token);
    }

    /**
     * Tells since when the newest known work has not been the published work.
     *
     * @return monotonic nanoseconds of the earliest unresolved change, or empty if they agree
     */
    public synchronized OptionalLong divergenceSinceNanos() {
        return state.divergenceSince();
    }

    /**
     * Judges progress now.
     *
     * @param port counts clients; called with no lock held
     * @return the judgement
     */
    public ProgressSnapshot snapshot(ClientCountPort port) {
        WorkGeneration asked;
        synchronized (this) {
            asked = state.current();
        }
        ClientCounts counts = port.count(asked.templateFingerprint(), asked.payoutGeneration());
        synchronized (this) {
            long now = clock.nanoTime();
            if (state.current().sameContent(asked)) {
                state.reconcile(counts.requiringRefresh(), now);
            } // else the counts are of older work: nothing may be closed by them
            return judge(counts, now);
        }
    }

    private ProgressSnapshot judge(ClientCounts counts, long now) {
        Optional<Duration> pendingAge = age(state.pendingSince(), now);
        Duration tipPollAge = Duration.ofNanos(now - state.tipPollSince());
        Optional<Duration> refreshAge = state.refreshing()
                ? Optional.of(Duration.ofNanos(now - state.refreshActivityNanos()))
                : Optional.empty();
        Duration buildAge = age(state.oldestBuildNanos(), now).orElse(Duration.ZERO);
        List<ProgressReason> reasons = new ArrayList<>();
        boolean refreshAlive =
                refreshAge.filter(age -> !over(age, deadlines.tipPoll())).isPresent();
        if (over(tipPollAge, deadlines.tipPoll()) && !refreshAlive) {
            reasons.add(ProgressReason.TIP_POLL_STALE);
        }
        if (over(buildAge, deadlines.bundleBuild())) {
            reasons.add(ProgressReason.BUNDLE_BUILD_STUCK);
        }
        if (!state.everPublished()) {
            reasons.add(ProgressReason.CURRENT_GENERATION_NOT_PUBLISHED);
        } else if (pendingAge
                .filter(age -> over(age, deadlines.pendingRefresh()))
                .isPresent()) {
            reasons.add(ProgressReason.REFRESH_PENDING_TOO_LONG);
            addWhatIsOwed(reasons, counts);
        }
        return new ProgressSnapshot(
                reasons,
                pendingAge.isPresent(),
                pendingAge,
                tipPollAge,
                state.refreshing(),
                refreshAge,
                state.current(),
                state.published(),
                age(state.currentDeliveryNanos(), now),
                counts,
                buildAge);
    }

    private void addWhatIsOwed(List<ProgressReason> reasons, ClientCounts counts) {
        if (state.refreshSignal() || !state.publishedCurrent()) {
            reasons.add(ProgressReason.CURRENT_GENERATION_NOT_PUBLISHED);
        } else if (counts.requiringRefresh() > 0) {
            reasons.add(ProgressReason.CURRENT_GENERATION_NOT_DELIVERED);
        }
    }

    private synchronized void finishBuild(long token) {
        state.buildFinished(token);
    }

    private static boolean over(Duration age, Duration deadline) {
        return age.compareTo(deadline) > 0;
    }

    private static Optional<Duration> age(OptionalLong since, long now) {
        return since.isPresent() ? Optional.of(Duration.ofNanos(now - since.getAsLong())) : Optional.empty();
    }

    /** Handle of one refresh. Thread-safe. */
    public interface RefreshToken extends AutoCloseable {

        /** Records a sign of life; without effect after the end. */
        void activity();

        /** Records the end; without effect when repeated. */
        @Override
        void close();
    }

    /** Handle of one build. Thread-safe. */
    @FunctionalInterface
    public interface BuildToken extends AutoCloseable {

        /** Records the end, by success, failure or cancellation; without effect when repeated. */
        @Override
        void close();
    }

    /** The refresh behind a token. */
    private final class RunningRefresh implements RefreshToken {

        private final AtomicBoolean finished = new AtomicBoolean();

        @Override
        public void activity() {
            synchronized (ProgressHealth.this) {
                if (!finished.get()) {
                    state.refreshActivity(clock.nanoTime());
                }
            }
        }

        @Override
        public void close() {
            synchronized (ProgressHealth.this) {
                if (finished.compareAndSet(false, true)) {
                    state.refreshFinished(clock.nanoTime());
                }
            }
        }
    }
}
