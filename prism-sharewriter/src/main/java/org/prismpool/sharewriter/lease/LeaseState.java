package org.prismpool.sharewriter.lease;

import java.time.Duration;

/**
 * Decisions of the writer lease, free of clocks, connections and threads (lease contract §3.3 to §3.5).
 *
 * <p>Times are nanoseconds of the caller's monotonic clock; lease times are the database's and never mixed with them.
 */
public final class LeaseState {

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(15);
    private static final Duration SHORTEST_WAIT = Duration.ofMillis(250);

    private LeaseState() {}

    /** What to do about a lease that somebody holds. */
    public enum AcquireAction {
        /** Try the claim again after the wait. */
        WAIT,
        /** Take the silent predecessor's lease over now. */
        ADOPT,
        /** Another writer holds it: stop. */
        FAIL
    }

    /**
     * Decision about a held lease.
     *
     * @param action what to do
     * @param pause how long to wait first, zero unless {@link AcquireAction#WAIT}
     */
    public record AcquireStep(AcquireAction action, Duration pause) {}

    /** Decision about a verification. */
    public enum HeartbeatStep {
        /** Alive. */
        HEALTHY,
        /** Alive, but external calls must wait. */
        DEFERRED,
        /** Verify once more on a fresh snapshot before judging. */
        RECHECK,
        /** Authority is lost. */
        LOST
    }

    /**
     * Decides what to do when the claim found a holder.
     *
     * @param ours this session
     * @param holder who holds the lease
     * @param guardHeldNanos how long this process has held the guard, negative without the guard
     * @param silence silence interval
     * @return the step
     */
    public static AcquireStep onHolder(LeaseIdentity ours, LeaseHolder holder, long guardHeldNanos, Duration silence) {
        if (!ours.sameWriter(holder)) {
            return new AcquireStep(AcquireAction.FAIL, Duration.ZERO);
        }
        boolean adoptable = guardHeldNanos >= 0
                && holder.selfFencing()
                && !holder.sessionToken().equals(ours.sessionToken());
        if (!adoptable) {
            return new AcquireStep(AcquireAction.WAIT, clamp(holder.untilExpiry()));
        }
        // Silence counts from both edges: the row may look old because a long transaction withheld its renewal.
        Duration sinceRow = silence.minus(holder.age());
        Duration sinceGuard = silence.minusNanos(guardHeldNanos);
        Duration remaining = sinceRow.compareTo(sinceGuard) > 0 ? sinceRow : sinceGuard;
        if (remaining.isNegative() || remaining.isZero()) {
            return new AcquireStep(AcquireAction.ADOPT, Duration.ZERO);
        }
        return new AcquireStep(AcquireAction.WAIT, remaining);
    }

    /**
     * Judges a verification.
     *
     * @param report what it saw
     * @param rechecked true if this is the second look after {@link HeartbeatStep#RECHECK}
     * @return the step
     */
    public static HeartbeatStep onHeartbeat(HeartbeatReport report, boolean rechecked) {
        if (!report.guardHeld() || !report.current()) {
            return HeartbeatStep.LOST;
        }
        if (report.renewed()) {
            return HeartbeatStep.HEALTHY;
        }
        if (report.lockedByUs()) {
            return report.expired() || report.withinMargin() ? HeartbeatStep.DEFERRED : HeartbeatStep.HEALTHY;
        }
        if (!report.expired()) {
            return HeartbeatStep.HEALTHY;
        }
        // Expired and locked by nobody of ours: our own commit may have landed in between, or a claim is in flight.
        return rechecked ? HeartbeatStep.LOST : HeartbeatStep.RECHECK;
    }

    /**
     * Decides whether the heartbeat itself has stopped proving anything.
     *
     * @param nowNanos now
     * @param progressNanos last sign of progress of the heartbeat thread
     * @param answeredNanos completion of the last round trip that the server answered
     * @param timing envelope
     * @return true if the process must end now
     */
    public static boolean silentTooLong(long nowNanos, long progressNanos, long answeredNanos, LeaseTiming timing) {
        return nowNanos - progressNanos > timing.failureBudget().toNanos()
                || nowNanos - answeredNanos > timing.serverProvenCap().toNanos();
    }

    private static Duration clamp(Duration wait) {
        if (wait.compareTo(SHORTEST_WAIT) < 0) {
            return SHORTEST_WAIT;
        }
        return wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
    }
}
