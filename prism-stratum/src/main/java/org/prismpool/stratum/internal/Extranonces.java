package org.prismpool.stratum.internal;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Gives each connection an extranonce1 that no live connection and no job that may still be submitted uses (spec 02 §3.1).
 * Thread-safe: one private lock.
 */
final class Extranonces {

    private record Released(int value, long atNanos) {}

    private final Set<Integer> taken = new HashSet<>(); // guarded by this
    private final ArrayDeque<Released> resting = new ArrayDeque<>(); // guarded by this
    private final int base;
    private final long space;
    private final long restNanos;

    Extranonces(int base, long space, long restNanos) {
        this.base = base;
        this.space = space;
        this.restNanos = restNanos;
    }

    /** Returns a free value for a connection, near base + id; empty if none is free. */
    synchronized OptionalInt take(long connectionId, long nowNanos) {
        while (!resting.isEmpty() && nowNanos - resting.peek().atNanos() > restNanos) {
            taken.remove(resting.remove().value());
        }
        if (taken.size() >= space - 1) {
            return OptionalInt.empty();
        }
        long offset = Math.floorMod(connectionId, space);
        while (true) {
            int value = base + (int) offset;
            if (value != 0 && taken.add(value)) {
                return OptionalInt.of(value);
            }
            offset = (offset + 1) % space;
        }
    }

    /** Gives a value back: it rests until its jobs have expired, or is free at once if no job was made with it. */
    synchronized void release(int value, boolean hadJobs, long nowNanos) {
        if (hadJobs) {
            resting.add(new Released(value, nowNanos));
        } else {
            taken.remove(value);
        }
    }
}
