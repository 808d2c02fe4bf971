package org.prismpool.lifecycle.health;

import java.time.Duration;

/**
 * Greatest ages that still count as healthy; an age equal to its deadline does.
 *
 * @param tipPoll since the last coherent poll of the tip; default 15 s
 * @param pendingRefresh since the first change that is neither published nor delivered; default 15 s
 * @param bundleBuild of the oldest running build; default 60 s
 */
public record HealthDeadlines(Duration tipPoll, Duration pendingRefresh, Duration bundleBuild) {

    /** Checks that each is more than zero. */
    public HealthDeadlines {
        requirePositive("tipPoll", tipPoll);
        requirePositive("pendingRefresh", pendingRefresh);
        requirePositive("bundleBuild", bundleBuild);
    }

    /**
     * Returns the default deadlines.
     *
     * @return 15 s, 15 s and 60 s
     */
    public static HealthDeadlines defaults() {
        return new HealthDeadlines(Duration.ofSeconds(15), Duration.ofSeconds(15), Duration.ofSeconds(60));
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be more than zero, not " + value);
        }
    }
}
