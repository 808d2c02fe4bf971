package org.prismpool.stratum;

/** Why a job is sent; decides its {@code clean_jobs} flag (spec 02 §5.4). */
public enum JobPurpose {
    /** First job, or the first one after a new authorization. */
    INITIAL(true),
    /** The miner asked for another difficulty. */
    EXPLICIT(true),
    /** New tip, or a change of payout state that makes older work worthless. */
    NEW_WORK(true),
    /** Newer template on the same tip. */
    SAME_TIP(false),
    /** Repeat of current work to a connection that got no job for a while. */
    KEEP_ALIVE(false),
    /** Vardiff asks for a higher difficulty. */
    STEP_UP(false),
    /** Vardiff asks for a lower difficulty after accepted shares. */
    STEP_DOWN(true),
    /** Vardiff asks for a lower difficulty after a window without any submit. */
    IDLE_STEP_DOWN(true);

    private final boolean clean;

    JobPurpose(boolean clean) {
        this.clean = clean;
    }

    /**
     * Returns the flag sent to the miner.
     *
     * @return true if all earlier jobs of the connection leave the active set
     */
    public boolean clean() {
        return clean;
    }
}
