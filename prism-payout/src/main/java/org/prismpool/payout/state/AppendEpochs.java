package org.prismpool.payout.state;

import java.util.ArrayDeque;
import java.util.Deque;

/** The append epoch, which anyone may read, and the stamps of its latest bumps; changed under the owner's lock. */
final class AppendEpochs {

    private static final int REMEMBERED = 256;

    private record Bump(long epoch, long visibleFromMs) {}

    private final Deque<Bump> bumps = new ArrayDeque<>();
    private volatile long epoch;

    long epoch() {
        return epoch;
    }

    long bump(long visibleFromMs) {
        long next = epoch + 1;
        bumps.addLast(new Bump(next, visibleFromMs));
        if (bumps.size() > REMEMBERED) {
            bumps.removeFirst();
        }
        epoch = next;
        return next;
    }

    /** Tells whether a window at the anchor, read under the baseline epoch, still contains every durable row. */
    boolean survives(long anchorMs, long baseline) {
        if (baseline < 0 || baseline > epoch) {
            return false;
        }
        if (baseline == epoch) {
            return true;
        }
        Bump oldest = bumps.peekFirst();
        if (oldest == null || oldest.epoch() > baseline + 1) {
            return false; // the history no longer reaches back to the baseline
        }
        return bumps.stream().noneMatch(b -> b.epoch() > baseline && b.visibleFromMs() <= anchorMs);
    }
}
