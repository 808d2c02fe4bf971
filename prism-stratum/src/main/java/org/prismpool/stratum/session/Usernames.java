package org.prismpool.stratum.session;

import java.util.HashMap;
import java.util.Map;

/** Counts live connections of each username and holds their ceiling (spec 02 §4.4). Thread-safe: one private lock. */
public final class Usernames {

    private final Map<String, Integer> connections = new HashMap<>(); // guarded by itself
    private final int limit;

    /**
     * Creates an empty register.
     *
     * @param limit connections of one username, 0 for no limit
     */
    public Usernames(int limit) {
        this.limit = limit;
    }

    /**
     * Moves a connection from one username to another, in one step.
     *
     * @param from username it holds, empty text for none
     * @param to username it wants, not empty
     * @return false, with nothing changed, if the wanted name is full
     */
    public boolean move(String from, String to) {
        synchronized (connections) {
            if (!from.equals(to)) {
                int others = connections.getOrDefault(to, 0);
                if (limit > 0 && others >= limit) {
                    return false;
                }
                connections.put(to, others + 1);
                release(from);
            }
            return true;
        }
    }

    /**
     * Gives a username back.
     *
     * @param name username that a connection held, empty text for none
     */
    public void release(String name) {
        synchronized (connections) {
            connections.computeIfPresent(name, (key, count) -> count == 1 ? null : count - 1);
        }
    }
}
