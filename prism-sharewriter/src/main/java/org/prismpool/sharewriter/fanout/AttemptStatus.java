package org.prismpool.sharewriter.fanout;

import java.util.Locale;

/** Outcome of one broadcast attempt. */
public enum AttemptStatus {
    /** Not sent; to be tried again after a pause. */
    PLANNED,
    /** Sent to the node. */
    SUBMITTED,
    /** Taken by the node. */
    ACCEPTED,
    /** Refused by the node. */
    REJECTED,
    /** Could not be sent. */
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
     * Reads the stored text.
     *
     * @param text column value
     * @return the status
     * @throws IllegalArgumentException for a text that the contract does not know
     */
    public static AttemptStatus ofText(String text) {
        for (AttemptStatus status : values()) {
            if (status.text().equals(text)) {
                return status;
            }
        }
        throw new IllegalArgumentException("unsupported CTV fanout attempt status: " + text);
    }
}
