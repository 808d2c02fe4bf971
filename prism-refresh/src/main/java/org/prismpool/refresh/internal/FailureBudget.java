package org.prismpool.refresh.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.refresh.FailureKind;

/**
 * Since when refreshes fail, and since when they are held up by coordination (spec 07 §2.9).
 *
 * <p>Written by the refresh owner's thread only; readers see one immutable record.
 */
public final class FailureBudget {

    private record Clocks(OptionalLong failingSince, OptionalLong coordinatingSince) {
        private static final Clocks CLEAR = new Clocks(OptionalLong.empty(), OptionalLong.empty());
    }

    private final Duration exitAfter;
    private final boolean epochFanout;
    private volatile Clocks clocks = Clocks.CLEAR;

    /**
     * Creates a budget that nothing has used.
     *
     * @param exitAfter age of the first failure at which the process should end; zero is off
     * @param epochFanout whether superseded passes re-enter their wave
     */
    public FailureBudget(Duration exitAfter, boolean epochFanout) {
        this.exitAfter = exitAfter;
        this.epochFanout = epochFanout;
    }

    /**
     * Accounts for a failed attempt. The oldest start wins: a later failure never renews a clock.
     *
     * @param kind why it failed
     * @param nowNanos monotonic now
     * @return the age of the first failure if this failure finds the budget used up
     */
    public Optional<Duration> failed(FailureKind kind, long nowNanos) {
        Clocks seen = clocks;
        if (kind.armsFailureBudget()) {
            OptionalLong since = earliest(seen.failingSince(), nowNanos);
            clocks = new Clocks(since, OptionalLong.empty());
            Duration age = Duration.ofNanos(nowNanos - since.getAsLong());
            return !exitAfter.isZero() && age.compareTo(exitAfter) >= 0 ? Optional.of(age) : Optional.empty();
        }
        if (kind.armsCoordinationStreak(epochFanout)) {
            clocks = new Clocks(seen.failingSince(), earliest(seen.coordinatingSince(), nowNanos));
        }
        return Optional.empty();
    }

    /** Clears both clocks: an attempt completed, even without work to do. */
    public void completed() {
        clocks = Clocks.CLEAR;
    }

    /**
     * Returns since when refreshes fail.
     *
     * @return monotonic instant of the first failure; empty without one
     */
    public OptionalLong failingSince() {
        return clocks.failingSince();
    }

    /**
     * Returns since when coordination holds refreshes up.
     *
     * @return monotonic instant of the streak's start; empty without one
     */
    public OptionalLong coordinatingSince() {
        return clocks.coordinatingSince();
    }

    private static OptionalLong earliest(OptionalLong since, long nowNanos) {
        return since.isPresent() ? since : OptionalLong.of(nowNanos);
    }
}
