package org.prismpool.payout.state;

/** Who asks the payout gate for admission (spec 07 §6.2). */
public enum GateCaller {
    /** A delivery that waits behind the first priority delivery of a new generation. */
    ROUTINE(false, false),
    /** Prepared fan-out, an initial delivery, or a direct delivery whose job is current. */
    PRIORITY(true, true),
    /** Publication and completion fences: as privileged as a priority delivery, but they never use its reservation. */
    SYNCHRONIZATION(true, false);

    private final boolean priority;
    private final boolean consuming;

    GateCaller(boolean priority, boolean consuming) {
        this.priority = priority;
        this.consuming = consuming;
    }

    /**
     * Tells whether this caller may pass a reserved generation.
     *
     * @return true for priority and synchronization callers
     */
    public boolean priority() {
        return priority;
    }

    boolean consuming() {
        return consuming;
    }
}
