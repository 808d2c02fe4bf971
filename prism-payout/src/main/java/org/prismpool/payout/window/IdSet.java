package org.prismpool.payout.window;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A set of texts of known size, open addressing: no object for an entry. Texts chosen to collide end in an ordinary set, so
 * that they can't make it slow. For one thread.
 */
final class IdSet {

    private static final int MAX_PROBES = 64;

    private final @Nullable String[] slots;
    private final int mask;
    private final Set<String> crowded = new HashSet<>();
    int touched; // never read; a result that is stored keeps the compiler from dropping the reads

    IdSet(int size) {
        int capacity = Integer.highestOneBit(Math.max(8, Math.min(size, 1 << 28))) << 2; // at most half full
        slots = new @Nullable String[capacity];
        mask = capacity - 1;
    }

    /** Adds a text; false if it is there already. */
    boolean add(String text) {
        int hash = text.hashCode();
        int slot = slot(hash);
        for (int probe = 0; probe < MAX_PROBES; probe++) {
            String known = slots[slot];
            if (known == null) {
                slots[slot] = text;
                return true;
            }
            if (known.hashCode() == hash && known.equals(text)) {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        return crowded.add(text); // nothing is ever removed, so its slots stay full and it is looked for here again
    }

    /** Brings the slots of the next ids into the cache, so that their misses overlap. */
    void readAhead(WindowShare[] shares, int from, int to) {
        int taken = 0;
        for (int i = from; i < to; i++) {
            taken += slots[slot(shares[i].shareId().hashCode())] == null ? 0 : 1;
        }
        touched = taken;
    }

    private int slot(int hash) {
        return (((hash ^ (hash >>> 16)) * 0x9e37_79b1) >>> 7) & mask;
    }
}
