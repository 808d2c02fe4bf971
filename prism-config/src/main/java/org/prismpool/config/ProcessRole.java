package org.prismpool.config;

import java.util.Locale;

/** What one process of the pool serves; decides which variables and rules count. Source: spec 08 §8.1, spec 01 §1.5. */
public enum ProcessRole {
    /** The coordinator, with the public API and the dashboard. */
    ALL,
    /** The coordinator alone. */
    COORDINATOR,
    /** Only the public API and the dashboard, on a database that it reads: no keys, no lease, no miners. */
    PUBLIC;

    /**
     * Returns the word of the command line.
     *
     * @return the name in lower case
     */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Tells whether the process coordinates miners: it holds the writer lease and the signing keys.
     *
     * @return false for the public process
     */
    public boolean coordinates() {
        return this != PUBLIC;
    }

    /**
     * Tells whether the process answers {@code /public/v1} and shows the dashboard.
     *
     * @return false for the bare coordinator
     */
    public boolean servesPublic() {
        return this != COORDINATOR;
    }
}
