package org.prismpool.lifecycle.health;

/**
 * How many clients may have jobs and how many of them wait for newer work.
 *
 * @param eligible connections that may receive jobs
 * @param requiringRefresh those of them whose delivered work is missing, older, or collection work in a ready pool
 */
public record ClientCounts(int eligible, int requiringRefresh) {

    /** Nobody. */
    public static final ClientCounts NONE = new ClientCounts(0, 0);

    /** Checks the ranges. */
    public ClientCounts {
        if (requiringRefresh < 0 || eligible < requiringRefresh) {
            throw new IllegalArgumentException(requiringRefresh + " of " + eligible + " clients");
        }
    }
}
