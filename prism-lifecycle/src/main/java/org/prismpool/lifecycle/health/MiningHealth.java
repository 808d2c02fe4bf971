package org.prismpool.lifecycle.health;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * Judges whether miners get work: owns the clock of poor coverage and the clock of overload.
 *
 * <p>Thread-safe: both clocks are guarded by this object's monitor. Source: spec 08 section 5.4.
 */
public final class MiningHealth {

    private final MonotonicClock clock;
    private final Duration startupGrace;
    private final Duration deadline;
    private final long startNanos;
    private OptionalLong poorSince = OptionalLong.empty();
    private OptionalLong overloadSince = OptionalLong.empty();

    /**
     * Starts the grace after the process start.
     *
     * @param clock monotonic clock of all ages
     * @param startupGrace time in which no time-based reason is reported; default of the pool 30 s
     * @param deadline how long a condition must last; default of the pool 30 s, zero switches the lasting conditions off
     */
    public MiningHealth(MonotonicClock clock, Duration startupGrace, Duration deadline) {
        this.clock = Objects.requireNonNull(clock, "clock");
        this.startupGrace = Objects.requireNonNull(startupGrace, "startupGrace");
        this.deadline = Objects.requireNonNull(deadline, "deadline");
        this.startNanos = clock.nanoTime();
    }

    /**
     * Moves both clocks to what is seen now and judges.
     *
     * @param view one consistent copy
     * @return the judgement
     */
    public synchronized MiningVerdict judge(DeliveryView view) {
        long now = clock.nanoTime();
        boolean poor = view.poor();
        boolean overloaded = view.pendingFull() || (view.connectionsFull() && poor);
        poorSince = running(poorSince, poor, now);
        overloadSince = running(overloadSince, overloaded, now);
        Duration coverageGap = age(poorSince, now);
        Duration overload = age(overloadSince, now);
        boolean inGrace = Duration.ofNanos(now - startNanos).compareTo(startupGrace) < 0;
        boolean storm = view.rejectionStorm();
        List<MiningReason> reasons = new ArrayList<>();
        if (!inGrace) {
            addLasting(reasons, view, coverageGap, overload);
            if (storm) {
                reasons.add(MiningReason.STALE_UNKNOWN_REJECTION_STORM);
            }
        }
        if (view.matureBlockOffChain()) {
            reasons.add(MiningReason.MATURE_BLOCK_OFF_CHAIN);
        }
        if (view.blockCandidateSpooled()) {
            reasons.add(MiningReason.BLOCK_CANDIDATE_SPOOLED);
        }
        return new MiningVerdict(reasons, inGrace, coverageGap, overload, overloaded || storm);
    }

    private void addLasting(List<MiningReason> reasons, DeliveryView view, Duration coverageGap, Duration overload) {
        if (deadline.isZero()) {
            return;
        }
        if (lasts(view.oldestGenuinelyPending()) || (view.poor() && lasts(coverageGap))) {
            reasons.add(MiningReason.INITIAL_DELIVERY_STALLED);
        }
        if (view.pendingFull() && lasts(overload)) {
            reasons.add(MiningReason.PENDING_INITIAL_JOBS_SATURATED);
        }
        if (view.connectionsFull() && view.poor() && lasts(overload)) {
            reasons.add(MiningReason.CONNECTION_CAPACITY_SATURATED);
        }
    }

    private boolean lasts(Duration age) {
        return age.compareTo(deadline) >= 0;
    }

    private static OptionalLong running(OptionalLong since, boolean condition, long now) {
        if (!condition) {
            return OptionalLong.empty();
        }
        return since.isPresent() ? since : OptionalLong.of(now);
    }

    private static Duration age(OptionalLong since, long now) {
        return since.isPresent() ? Duration.ofNanos(now - since.getAsLong()) : Duration.ZERO;
    }
}
