package org.prismpool.refresh;

/** Port to the liveness watchdog: proof that a loop of this module makes progress. Thread-safe, never blocks. */
public interface RefreshHeartbeat {

    /** Name of the refresh owner's heartbeat. */
    String BLOCKPOLL = "qbit_blockpoll";

    /** Name of the block-wait loop's heartbeat. */
    String BLOCKWAIT = "qbit_blockwait";

    /**
     * Stamps a heartbeat.
     *
     * @param name {@link #BLOCKPOLL} or {@link #BLOCKWAIT}
     */
    void beat(String name);

    /**
     * Withdraws a heartbeat for good.
     *
     * @param name {@link #BLOCKPOLL} or {@link #BLOCKWAIT}
     */
    void remove(String name);

    /**
     * Returns a port that nobody watches.
     *
     * @return an instance without effect
     */
    static RefreshHeartbeat unwatched() {
        return new RefreshHeartbeat() {
            @Override
            public void beat(String name) {
                // nobody watches
            }

            @Override
            public void remove(String name) {
                // nobody watches
            }
        };
    }
}
