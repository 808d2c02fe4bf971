package org.prismpool.lifecycle.metrics;

import java.util.HashSet;
import java.util.Set;

/**
 * Bounded table of worker names as label values: names that come after the limit share one label. Names are never given up.
 *
 * <p>Thread-safe: guarded by its monitor. Use one table for all families with such a label.
 */
public final class WorkerLabels {

    private static final String UNAUTHENTICATED = "_unauthenticated";
    private static final String OTHER = "_other";
    private static final int LONGEST = 128;

    private final int limit;
    private final Set<String> known = new HashSet<>();

    /**
     * Creates an empty table.
     *
     * @param limit most names with a label of their own; zero puts all into {@code _other}
     */
    public WorkerLabels(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("limit must be zero or more, not " + limit);
        }
        this.limit = limit;
    }

    /**
     * Returns the label of a worker.
     *
     * @param username authorized user name; empty before authorization
     * @return the name, cut to 128 characters, or {@code _unauthenticated} or {@code _other}
     */
    public synchronized String label(String username) {
        String name = username.isEmpty() ? UNAUTHENTICATED : cut(username);
        if (known.contains(name)) {
            return name;
        }
        if (known.size() >= limit) {
            return OTHER;
        }
        known.add(name);
        return name;
    }

    private static String cut(String name) {
        return name.codePointCount(0, name.length()) <= LONGEST
                ? name
                : name.substring(0, name.offsetByCodePoints(0, LONGEST));
    }
}
