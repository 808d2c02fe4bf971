package org.prismpool.lifecycle.health;

/** Why miners do not get work as they should; the order of the constants is the order in answers. */
public enum MiningReason {
    /** First jobs, or the coverage of the current tip, have been missing for too long. */
    INITIAL_DELIVERY_STALLED("initial-delivery-stalled"),
    /** The set of clients that wait for a first job has been full for too long. */
    PENDING_INITIAL_JOBS_SATURATED("pending-initial-jobs-saturated"),
    /** The connection limit has been reached for too long while coverage was poor. */
    CONNECTION_CAPACITY_SATURATED("connection-capacity-saturated"),
    /** Nearly all shares are refused as stale or unknown while coverage is poor. */
    STALE_UNKNOWN_REJECTION_STORM("stale-unknown-rejection-storm"),
    /** A mature pool block is not on the active chain. */
    MATURE_BLOCK_OFF_CHAIN("mature-block-off-chain"),
    /** A found block waits outside the database. */
    BLOCK_CANDIDATE_SPOOLED("block-candidate-spooled");

    private final String id;

    MiningReason(String id) {
        this.id = id;
    }

    /**
     * Returns the reason's name in health answers.
     *
     * @return the id
     */
    public String id() {
        return id;
    }
}
