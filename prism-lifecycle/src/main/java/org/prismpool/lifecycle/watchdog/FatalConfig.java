package org.prismpool.lifecycle.watchdog;

import java.time.Duration;

/**
 * Budgets of a fatal shutdown.
 *
 * @param releaseBudget whole time from the decision to the exit; default 5 s
 * @param leaseExitBudget the same when the writer lease itself is the reason; default 0.1 s
 * @param threadName name of the thread that releases; default {@code prism-watchdog-lease-release}
 */
public record FatalConfig(Duration releaseBudget, Duration leaseExitBudget, String threadName) {

    /** Checks that both budgets are more than zero. */
    public FatalConfig {
        if (releaseBudget.isNegative()
                || releaseBudget.isZero()
                || leaseExitBudget.isNegative()
                || leaseExitBudget.isZero()) {
            throw new IllegalArgumentException("the budgets of a fatal shutdown must be more than zero");
        }
    }

    /**
     * Returns the default budgets.
     *
     * @return 5 s, or 0.1 s when the lease is the reason
     */
    public static FatalConfig defaults() {
        return new FatalConfig(Duration.ofSeconds(5), Duration.ofMillis(100), "prism-watchdog-lease-release");
    }

    /**
     * Returns the same with another whole budget.
     *
     * @param budget more than zero
     * @return the changed copy
     */
    public FatalConfig withReleaseBudget(Duration budget) {
        return new FatalConfig(budget, leaseExitBudget, threadName);
    }

    Duration budgetFor(FatalReason reason) {
        return reason instanceof FatalReason.LeaseHeartbeat ? leaseExitBudget : releaseBudget;
    }
}
