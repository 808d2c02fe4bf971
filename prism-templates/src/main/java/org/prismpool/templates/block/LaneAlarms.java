package org.prismpool.templates.block;

/** Port for what the lane can't decide alone. Called on threads of the lane or of accounting; must not block. */
public interface LaneAlarms {

    /** The last allowed block is accounted, and the pool is to stop. */
    void blockLimitReached();

    /**
     * Node calls have been stuck for so long that only a restart helps.
     *
     * @param reason what is stuck
     */
    void restartRequired(String reason);

    /**
     * Candidates exist that the database has not taken; called with every change of their number.
     *
     * @param count spooled candidates, zero when all are durable
     */
    void unpersistedBlocks(int count);

    /** An offer thread is alive; called by each at least once in 0.25 s unless a node call takes longer. */
    default void heartbeat() {}
}
