package org.prismpool.sharewriter.fanout;

import java.util.Locale;

/** Settlement status of a fanout transaction. */
public enum FanoutStatus {
    /** Its block is not mature. */
    AWAITING_MATURITY,
    /** May be broadcast. */
    BROADCASTABLE,
    /** Handed to the node. */
    BROADCAST_SUBMITTED,
    /** Buried in the chain; terminal. */
    CONFIRMED,
    /** Its block or its output is gone; terminal. */
    REORGED,
    /** The node refused it; terminal. */
    FAILED;

    /**
     * Returns the stored text.
     *
     * @return lower-case name
     */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Tells whether broadcasting is over.
     *
     * @return true for confirmed, reorged and failed
     */
    public boolean terminal() {
        return this == CONFIRMED || this == REORGED || this == FAILED;
    }

    /**
     * Tells what an attempt makes of a row with this status.
     *
     * @param attempt outcome of the attempt
     * @return the next status; a terminal row never changes, and a plan leaves the status alone
     */
    public FanoutStatus after(AttemptStatus attempt) {
        if (terminal()) {
            return this;
        }
        return switch (attempt) {
            case PLANNED -> this;
            case SUBMITTED, ACCEPTED -> BROADCAST_SUBMITTED;
            case REJECTED, FAILED -> FAILED;
        };
    }

    /**
     * Reads the stored text.
     *
     * @param text column value
     * @return the status
     * @throws IllegalArgumentException for a text that the contract does not know
     */
    public static FanoutStatus ofText(String text) {
        for (FanoutStatus status : values()) {
            if (status.text().equals(text)) {
                return status;
            }
        }
        throw new IllegalArgumentException("unsupported CTV fanout status: " + text);
    }
}
