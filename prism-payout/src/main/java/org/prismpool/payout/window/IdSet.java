package org.prismpool.payout.window;

import org.jspecify.annotations.Nullable;

/** A set of texts of known size, open addressing: no object for an entry. For one thread. */
final class IdSet {

    private final @Nullable String[] slots;
    private final int mask;

    IdSet(int size) {
        int capacity = Integer.highestOneBit(Math.max(8, Math.min(size, 1 << 28))) << 2; // at most half full
        slots = new @Nullable String[capacity];
        mask = capacity - 1;
    }

    /** Adds a text; false if it is there already. */
    boolean add(String text) {
        int hash = text.hashCode();
        int slot = (((hash ^ (hash >>> 16)) * 0x9e37_79b1) >>> 7) & mask;
        while (true) {
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
    }
}
