package org.prismpool.refresh;

import java.util.Locale;

/** The bounded operation that ran out of time; labels of {@code qbit_prism_blockpoll_timeouts_total} (spec 07 §3.3). */
public enum TimeoutLabel {
    /** A checkpoint of the whole-pass deadline. */
    REFRESH,
    /** The publication lane was not obtained. */
    REFRESH_LOCK,
    /** A shared coordinator lock; exported, expected to stay zero. */
    COORDINATOR_LOCK,
    /** A job cache lock; exported, expected to stay zero. */
    JOB_CACHE_LOCK,
    /** A payout preparation lock; exported, expected to stay zero. */
    PAYOUT_PREPARE_LOCK,
    /** A waiter on a shared build passed its deadline; the build goes on for others. */
    BUNDLE_PREPARATION,
    /** The bundle compiler passed its deadline. */
    BUNDLE_BUILDER,
    /** A connection's delivery slot was not obtained. */
    CLIENT_LOCK,
    /** The payout gate was not obtained. */
    PAYOUT_GATE,
    /** Admitted deliveries were not drained in the remaining time. */
    JOB_FANOUT,
    /** The writer lease was not released in time; counted by the lifecycle owner. */
    LEASE_RELEASE;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    /**
     * Returns the metric label.
     *
     * @return lower-case text
     */
    public String wireName() {
        return wireName;
    }

    /**
     * Returns the label of a wire name.
     *
     * @param wireName lower-case label text
     * @return the label; {@link #REFRESH} for a name outside the closed set
     */
    public static TimeoutLabel ofWireName(String wireName) {
        for (TimeoutLabel label : values()) {
            if (label.wireName.equals(wireName)) {
                return label;
            }
        }
        return REFRESH;
    }
}
