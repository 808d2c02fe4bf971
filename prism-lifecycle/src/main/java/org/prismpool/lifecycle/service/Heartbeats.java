package org.prismpool.lifecycle.service;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * When each loop last proved progress. Beat where progress is proved, never from a timer unrelated to the work.
 *
 * <p>Thread-safe; each name is updated atomically, nothing blocks. Source: spec 08 section 4.2.
 */
public final class Heartbeats {

    private final MonotonicClock clock;
    private final ConcurrentMap<String, Beat> beats = new ConcurrentHashMap<>();

    /**
     * Creates an empty set of heartbeats.
     *
     * @param clock monotonic clock of the ages
     */
    public Heartbeats(MonotonicClock clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /**
     * Starts to watch a name, also one that was removed, as if it had just beaten.
     *
     * @param name name of the loop
     */
    public void register(String name) {
        beats.put(name, new Beat(clock.nanoTime(), "", 0, false));
    }

    /**
     * Records progress; watches the name from now on if it is new. Without effect on a removed name.
     *
     * @param name name of the loop
     */
    public void beat(String name) {
        beat(name, "");
    }

    /**
     * Records progress and what the loop does now.
     *
     * @param name name of the loop
     * @param phase what it does until its next beat; empty for nothing in particular
     */
    public void beat(String name, String phase) {
        long now = clock.nanoTime();
        beats.compute(name, (n, old) -> old == null ? new Beat(now, phase, 0, false) : old.beaten(now, phase));
    }

    /**
     * Stops judging a name until it is resumed as often as it was paused.
     *
     * @param name name of the loop
     */
    public void pause(String name) {
        long now = clock.nanoTime();
        beats.compute(name, (n, old) -> old == null ? new Beat(now, "", 1, false) : old.paused(now, 1));
    }

    /**
     * Undoes one pause; the age starts again at zero. Without effect on a name that is not paused.
     *
     * @param name name of the loop
     */
    public void resume(String name) {
        long now = clock.nanoTime();
        beats.computeIfPresent(name, (n, old) -> old.pauses() == 0 ? old : old.paused(now, -1));
    }

    /**
     * Pauses names for the length of a block.
     *
     * @param names names of loops
     * @return handle that resumes them
     */
    public Pause paused(String... names) {
        List<String> all = List.of(names);
        all.forEach(this::pause);
        return () -> all.forEach(this::resume);
    }

    /**
     * Stops watching a name for good: later beats of it are ignored until it is registered again.
     *
     * @param name name of the loop
     */
    public void remove(String name) {
        beats.computeIfPresent(name, (n, old) -> new Beat(old.lastNanos(), "", 0, true));
    }

    /**
     * Returns the names that have been silent too long.
     *
     * @param timeout greatest age that is still in order
     * @return sorted {@code name} or {@code name:phase}
     */
    public SortedSet<String> overdue(Duration timeout) {
        long now = clock.nanoTime();
        long limit = timeout.toNanos();
        TreeSet<String> overdue = new TreeSet<>();
        beats.forEach((name, beat) -> {
            if (beat.watched() && now - beat.lastNanos() > limit) {
                overdue.add(beat.label(name));
            }
        });
        return Collections.unmodifiableSortedSet(overdue);
    }

    /**
     * Returns the age of every watched name that is not paused.
     *
     * @return ages by name
     */
    public SortedMap<String, Duration> ages() {
        long now = clock.nanoTime();
        TreeMap<String, Duration> ages = new TreeMap<>();
        beats.forEach((name, beat) -> {
            if (beat.watched()) {
                ages.put(name, Duration.ofNanos(now - beat.lastNanos()));
            }
        });
        return Collections.unmodifiableSortedMap(ages);
    }

    /** Handle to a pause of one or more names. */
    @FunctionalInterface
    public interface Pause extends AutoCloseable {

        /** Resumes the names. */
        @Override
        void close();
    }

    /** State of one name. */
    private record Beat(long lastNanos, String phase, int pauses, boolean removed) {

        private Beat beaten(long now, String newPhase) {
            return removed ? this : new Beat(now, newPhase, pauses, false);
        }

        private Beat paused(long now, int by) {
            return removed ? this : new Beat(now, phase, pauses + by, false);
        }

        private boolean watched() {
            return !removed && pauses == 0;
        }

        private String label(String name) {
            return phase.isEmpty() ? name : name + ":" + phase;
        }
    }
}
