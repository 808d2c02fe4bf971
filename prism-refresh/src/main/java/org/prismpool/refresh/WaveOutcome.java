package org.prismpool.refresh;

import java.util.Locale;

/** The one terminal outcome of a refresh wave (spec 07 §3.1). */
public enum WaveOutcome {
    /** The newest work is published and was offered to everyone. */
    COMPLETED,
    /** Something newer was found after the publication, during the fan-out. */
    FANOUT_SUPERSEDED,
    /** Something newer was found before the publication. */
    BUILD_SUPERSEDED,
    /** The payout publication fence kept the pass from publishing. */
    PAYOUT_BLOCKED,
    /** The node's chain view, or the reconcile pass, was not trusted. */
    TRUST_BLOCKED,
    /** Stopped by {@code close()}. */
    SHUTDOWN,
    /** Any other failure, phase timeouts included. */
    ERROR;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    /**
     * Returns the metric label.
     *
     * @return lower-case text
     */
    public String wireName() {
        return wireName;
    }
}
