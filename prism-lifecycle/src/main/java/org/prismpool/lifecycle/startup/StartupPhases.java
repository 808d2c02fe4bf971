package org.prismpool.lifecycle.startup;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.prismpool.lifecycle.time.MonotonicClock;

/** When each milestone was first reached, counted from the start of serving. Thread-safe; each is written once. */
public final class StartupPhases {

    private final MonotonicClock clock;
    private final long startNanos;
    private final Map<StartupPhase, Duration> reached = new EnumMap<>(StartupPhase.class); // guarded by this

    /**
     * Starts counting.
     *
     * @param clock monotonic clock
     */
    public StartupPhases(MonotonicClock clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
        this.startNanos = clock.nanoTime();
    }

    /**
     * Records a milestone, if it is its first time.
     *
     * @param phase the milestone
     * @return true if it was the first time
     */
    public synchronized boolean reached(StartupPhase phase) {
        return reached.putIfAbsent(phase, Duration.ofNanos(clock.nanoTime() - startNanos)) == null;
    }

    /**
     * Returns the milestones reached so far.
     *
     * @return a copy: time from the start of serving by milestone
     */
    public synchronized Map<StartupPhase, Duration> all() {
        return Map.copyOf(reached);
    }
}
