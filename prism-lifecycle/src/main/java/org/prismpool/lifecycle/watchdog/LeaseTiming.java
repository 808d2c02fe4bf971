package org.prismpool.lifecycle.watchdog;

import java.time.Duration;

/**
 * Timing of the proof that this process still is the only writer.
 *
 * @param heartbeatInterval time between two verifications; default 0.25 s
 * @param failureBudget longest silence of the heartbeat; default 0.75 s
 * @param monitorTick time between two looks at it; default 0.05 s
 * @param exitBudget time to leave once it is decided; default 0.1 s
 * @param adoptionSilence silence after which a successor may adopt the lease; default 1 s
 */
public record LeaseTiming(
        Duration heartbeatInterval,
        Duration failureBudget,
        Duration monitorTick,
        Duration exitBudget,
        Duration adoptionSilence) {

    /** Refuses timings under which a successor could start before this process has ended. */
    public LeaseTiming {
        if (failureBudget.compareTo(heartbeatInterval) <= 0) {
            throw new IllegalArgumentException("failureBudget must be more than heartbeatInterval");
        }
        Duration wayOut = failureBudget.plus(exitBudget).plus(monitorTick.multipliedBy(2));
        if (adoptionSilence.compareTo(wayOut) <= 0) {
            throw new IllegalArgumentException("adoptionSilence must be more than " + wayOut);
        }
    }

    /**
     * Returns the default timing.
     *
     * @return 0.25 s, 0.75 s, 0.05 s, 0.1 s and 1 s
     */
    public static LeaseTiming defaults() {
        return new LeaseTiming(
                Duration.ofMillis(250),
                Duration.ofMillis(750),
                Duration.ofMillis(50),
                Duration.ofMillis(100),
                Duration.ofSeconds(1));
    }

    /**
     * Returns the longest time without an answer of the database.
     *
     * @return the larger of the failure budget and what the adoption silence leaves; 0.8 s by default
     */
    public Duration serverProvenCap() {
        Duration left = adoptionSilence.minus(exitBudget).minus(monitorTick.multipliedBy(2));
        return left.compareTo(failureBudget) > 0 ? left : failureBudget;
    }
}
