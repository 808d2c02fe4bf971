package org.prismpool.payout.state;

import java.util.ArrayDeque;
import java.util.Deque;

/** The append epoch and the stamps of its latest bumps; guarded by the owner's lock. */
final class AppendEpochs {

    private static final int REMEMBERED = 256;

    private record Bump(long epoch, long visibleFromMs) {}

    private final Deque<Bump> bumps = new ArrayDeque<>();
    private long epoch;

    long epoch() {
        return epoch;
    }

    long bump(long visibleFromMs) {
        epoch++;
        bumps.addLast(new Bump(epoch, visibleFromMs));
        if (bumps.size() > REMEMBERED) {
            bumps.removeFirst();
        }
        return epoch;
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
