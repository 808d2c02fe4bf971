package org.prismpool.stratum;

/** Port to the pool's life cycle. Thread-safe, never blocks. */
public interface PoolState {

    /** A pool that is open until its server is closed. */
    PoolState ALWAYS_OPEN = new PoolState() {};

    /**
     * Tells whether shares are accepted.
     *
     * @return false once the wanted number of blocks is found
     */
    default boolean open() {
        return true;
    }

    /**
     * Tells whether the program is stopping; every request is then refused and its connection closed.
     *
     * @return true from the start of the shutdown
     */
    default boolean shuttingDown() {
        return false;
    }
}
