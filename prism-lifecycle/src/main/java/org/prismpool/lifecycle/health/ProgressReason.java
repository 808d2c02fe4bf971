package org.prismpool.lifecycle.health;

/** Why progress is not healthy; the order of the constants is the order in which they are judged. */
public enum ProgressReason {
    /** The tip was not polled coherently for too long and no refresh is making progress. */
    TIP_POLL_STALE("tip_poll_stale"),
    /** A build has been running for too long. */
    BUNDLE_BUILD_STUCK("bundle_build_stuck"),
    /** A change has been unresolved for too long. */
    REFRESH_PENDING_TOO_LONG("refresh_pending_too_long"),
    /** The current work is not published. */
    CURRENT_GENERATION_NOT_PUBLISHED("current_generation_not_published"),
    /** Clients still lack the current work. */
    CURRENT_GENERATION_NOT_DELIVERED("current_generation_not_delivered");

    private final String id;

    ProgressReason(String id) {
        this.id = id;
    }

    /**
     * Returns the reason's name in health answers and metrics.
     *
     * @return the id
     */
    public String id() {
        return id;
    }
}
