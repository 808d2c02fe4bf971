package org.prismpool.stratum.share;

import java.util.Iterator;
import java.util.LinkedHashSet;
import org.prismpool.templates.chain.Hash256;

/**
 * Headers that were submitted, by worker, so that none is credited twice (spec 02 §7.6). The hash stands for the header.
 *
 * <p>Thread-safe: one private lock around each map operation. Bounded; the oldest entry leaves first.
 */
public final class DuplicateIndex {

    private record Key(String username, Hash256 hash) {}

    private final LinkedHashSet<Key> seen = new LinkedHashSet<>(); // guarded by itself
    private final int capacity;

    /**
     * Creates an empty index.
     *
     * @param capacity entries kept, above 0
     */
    public DuplicateIndex(int capacity) {
        this.capacity = capacity;
    }

    /**
     * Remembers a header.
     *
     * @param username username of the job's worker
     * @param hash hash of the header
     * @return false if it was known
     */
    public boolean reserve(String username, Hash256 hash) {
        Key key = new Key(username, hash);
        synchronized (seen) {
            if (!seen.add(key)) {
                return false;
            }
            if (seen.size() > capacity) {
                Iterator<Key> oldest = seen.iterator();
                oldest.next();
                oldest.remove();
            }
            return true;
        }
    }

    /**
     * Forgets a header whose submit led to nothing, so that it may be tried again.
     *
     * @param username username of the job's worker
     * @param hash hash of the header
     */
    public void release(String username, Hash256 hash) {
        synchronized (seen) {
            seen.remove(new Key(username, hash));
        }
    }

    /**
     * Returns how many headers are remembered.
     *
     * @return zero or more, at most the capacity
     */
    public int size() {
        synchronized (seen) {
            return seen.size();
        }
    }
}
