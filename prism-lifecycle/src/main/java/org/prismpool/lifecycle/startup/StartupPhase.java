package org.prismpool.lifecycle.startup;

/** Milestones of the pool's start (spec 08 section 2.3). */
public enum StartupPhase {
    /** The writer lease was proved for the first time. */
    LEASE_HEARTBEAT_STARTED("lease_heartbeat_started"),
    /** The node answered. */
    NODE_RPC_READY("node_rpc_ready"),
    /** The private HTTP listener is bound. */
    AUDIT_LISTENER_BOUND("audit_listener_bound"),
    /** All durable block candidates have been enumerated. */
    BLOCK_REPLAY_ENUMERATED("block_replay_enumerated"),
    /** Work was published for the first time. */
    FIRST_TIP_TEMPLATE_PUBLISHED("first_tip_template_published"),
    /** A miner got its first job. */
    FIRST_JOB_DELIVERED("first_job_delivered"),
    /** The base of the health answer was collected for the first time. */
    HEALTH_SNAPSHOT_WARM("health_snapshot_warm");

    private final String label;

    StartupPhase(String label) {
        this.label = label;
    }

    /**
     * Returns the milestone's name in metrics and logs.
     *
     * @return the label
     */
    public String label() {
        return label;
    }
}
