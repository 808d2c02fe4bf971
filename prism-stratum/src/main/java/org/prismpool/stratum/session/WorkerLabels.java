package org.prismpool.stratum.session;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The bounded set of worker labels in metrics (spec 02 §9). Thread-safe. */
public final class WorkerLabels {

    /** Label of everyone beyond the bound. */
    public static final String OTHER = "_other";

    /** Label of sessions without a username. */
    public static final String UNAUTHENTICATED = "_unauthenticated";

    private static final int MAX_LENGTH = 128;

    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final int limit;

    /**
     * Creates an empty set.
     *
     * @param limit distinct labels for the life of the process, 0 or more
     */
    public WorkerLabels(int limit) {
        this.limit = limit;
    }

    /**
     * Returns the label of a proven username.
     *
     * @param username authorized username
     * @return the name cut to 128 characters, or {@link #OTHER} once the bound is reached
     */
    public String label(String username) {
        if (username.isEmpty()) {
            return UNAUTHENTICATED;
        }
        String cut = username.length() > MAX_LENGTH ? cut(username) : username;
        if (known.contains(cut)) {
            return cut;
        }
        if (count.get() >= limit) {
            return OTHER;
        }
        return remember(cut);
    }

    /** Counts characters as people do, so that no character is cut in two. */
    private static String cut(String username) {
        boolean fits = username.codePointCount(0, username.length()) <= MAX_LENGTH;
        return fits ? username : username.substring(0, username.offsetByCodePoints(0, MAX_LENGTH));
    }

    private String remember(String cut) {
        synchronized (count) {
            if (count.get() >= limit) {
                return known.contains(cut) ? cut : OTHER;
            }
            if (known.add(cut)) {
                count.incrementAndGet();
            }
            return cut;
        }
    }
}
