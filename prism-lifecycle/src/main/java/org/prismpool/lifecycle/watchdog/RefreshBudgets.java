package org.prismpool.lifecycle.watchdog;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * Clocks of refreshes that do not come to an end: one for streaks that only displace each other, one for failures in a row.
 *
 * <p>Thread-safe. Its monitor is the watchdog's coordination lock and comes before the lock of progress health, never the
 * other way round. Source: spec 08 section 4.4, spec 07 section 2.9.
 */
public final class RefreshBudgets {

    private final MonotonicClock clock;
    private final Duration failureBudget;
    private OptionalLong streakSince = OptionalLong.empty(); // guarded by this, like the next
    private OptionalLong failingSince = OptionalLong.empty();

    /**
     * Creates clocks that do not run.
     *
     * @param clock monotonic clock
     * @param failureBudget longest time that refreshes may keep failing; zero allows any
     */
    public RefreshBudgets(MonotonicClock clock, Duration failureBudget) {
        this.clock = Objects.requireNonNull(clock, "clock");
        this.failureBudget = Objects.requireNonNull(failureBudget, "failureBudget");
    }

    /** Records that a refresh was displaced or that payout publication is blocked; the oldest start of a streak stays. */
    public synchronized void coordinationBlocked() {
        if (streakSince.isEmpty()) {
            streakSince = OptionalLong.of(clock.nanoTime());
        }
    }

    /**
     * Records an ordinary failure: it ends a coordination streak and has its own budget.
     *
     * @return why the process must end, if the failures have used up the budget
     */
    public synchronized Optional<FatalReason> refreshFailed() {
        long now = clock.nanoTime();
        streakSince = OptionalLong.empty();
        if (failingSince.isEmpty()) {
            failingSince = OptionalLong.of(now);
        }
        Duration age = Duration.ofNanos(now - failingSince.getAsLong());
        if (failureBudget.isZero() || age.compareTo(failureBudget) < 0) {
            return Optional.empty();
        }
        return Optional.of(new FatalReason.RefreshFailure(failureBudget, age));
    }

    /** Records that a refresh came to its end, also one that had nothing to do; stops both clocks. */
    public synchronized void refreshCompleted() {
        streakSince = OptionalLong.empty();
        failingSince = OptionalLong.empty();
    }

    /**
     * Returns the age of the coordination streak.
     *
     * @return empty if there is none
     */
    public synchronized Optional<Duration> streakAge() {
        return age(streakSince);
    }

    /**
     * Returns how long refreshes have been failing.
     *
     * @return empty if the last one did not fail
     */
    public synchronized Optional<Duration> failingFor() {
        return age(failingSince);
    }

    /** Runs a claim unless a streak is open; no streak can open in between. */
    synchronized boolean claimUnlessBlocked(BooleanSupplier stillExpired, BooleanSupplier claim) {
        return streakSince.isEmpty() && stillExpired.getAsBoolean() && claim.getAsBoolean();
    }

    private Optional<Duration> age(OptionalLong since) {
        return since.isPresent()
                ? Optional.of(Duration.ofNanos(clock.nanoTime() - since.getAsLong()))
                : Optional.empty();
    }
}
