package org.prismpool.lifecycle.watchdog;

import java.time.Duration;
import java.util.Optional;

/** What one look of the watchdog leads to. */
public sealed interface WatchdogVerdict {

    /** Look again later. */
    record Healthy() implements WatchdogVerdict {}

    /** The process is stopping in order; the watchdog's work is over. */
    record Over() implements WatchdogVerdict {}

    /**
     * The process must end.
     *
     * @param reason why
     */
    record Fatal(FatalReason reason) implements WatchdogVerdict {}

    /**
     * Judges one look: the first rule that applies wins (spec 08 section 4.4).
     *
     * @param view what was seen
     * @param config limits
     * @return the verdict; a pure function of both
     */
    static WatchdogVerdict of(WatchdogView view, WatchdogConfig config) {
        if (view.requested().isPresent()) {
            return new Fatal(view.requested().get());
        }
        if (view.stopping()) {
            return new Over();
        }
        if (view.streakAge().isPresent()) {
            Duration age = view.streakAge().get();
            if (reached(age, config.coordinationBudget())) {
                return new Fatal(new FatalReason.Coordination(config.coordinationBudget(), age));
            }
        } else if (publicationExpired(view.divergenceAge(), config.publicationBudget())) {
            return new Fatal(new FatalReason.Publication(config.publicationBudget()));
        }
        if (config.livenessEnabled() && !view.overdue().isEmpty()) {
            return new Fatal(new FatalReason.Liveness(view.overdue(), config.timeout()));
        }
        return new Healthy();
    }

    /**
     * Tells whether unpublished work has used up its budget.
     *
     * @param divergenceAge how long it has been unpublished, if it is
     * @param budget longest time allowed; zero allows any
     * @return true once the age has reached the budget
     */
    static boolean publicationExpired(Optional<Duration> divergenceAge, Duration budget) {
        return !budget.isZero()
                && divergenceAge.map(age -> age.compareTo(budget) >= 0).orElse(false);
    }

    private static boolean reached(Duration age, Duration budget) {
        return budget.isNegative() || budget.isZero() || age.compareTo(budget) >= 0;
    }
}
