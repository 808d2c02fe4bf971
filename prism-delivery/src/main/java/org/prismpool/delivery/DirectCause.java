package org.prismpool.delivery;

/** Why a working connection gets a job outside a fan-out, and what its clean flag is then (spec 07 §3.6, 02 §5.4). */
public enum DirectCause {
    /** Authorize on an active connection. */
    REAUTHORIZED(Flag.CLEAN),
    /** Explicit difficulty: password option or {@code suggest_difficulty}. */
    DIFFICULTY_REQUEST(Flag.CLEAN),
    /** Vardiff raised the difficulty: old jobs stay valid at their own. */
    VARDIFF_UP(Flag.BY_WORK),
    /** Vardiff lowered the difficulty. */
    VARDIFF_DOWN(Flag.CLEAN),
    /** Vardiff lowered the difficulty of a silent connection; skipped while a detected tip is unpublished. */
    IDLE_VARDIFF_DOWN(Flag.CLEAN),
    /** Vardiff raised the difficulty of a silent connection; skipped while a detected tip is unpublished. */
    IDLE_VARDIFF_UP(Flag.BY_WORK);

    private enum Flag {
        CLEAN,
        BY_WORK
    }

    private final Flag flag;

    DirectCause(Flag flag) {
        this.flag = flag;
    }

    /**
     * Tells whether the job is clean whatever it replaces.
     *
     * @return false if only the work decides
     */
    public boolean alwaysClean() {
        return flag == Flag.CLEAN;
    }

    /**
     * Tells whether the cause is a sweep over silent connections.
     *
     * @return true for the two idle causes
     */
    public boolean idle() {
        return this == IDLE_VARDIFF_DOWN || this == IDLE_VARDIFF_UP;
    }
}
