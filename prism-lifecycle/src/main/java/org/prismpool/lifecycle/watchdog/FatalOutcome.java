package org.prismpool.lifecycle.watchdog;

/** What the lease release of a fatal shutdown came to. */
public enum FatalOutcome {
    /** Released, or not held. */
    SUCCESS("success"),
    /** The release failed. */
    FAILURE("failure"),
    /** Withheld for an open writer, not answered, or no time was left. */
    TIMEOUT("timeout");

    private final String label;

    FatalOutcome(String label) {
        this.label = label;
    }

    /**
     * Returns the outcome's name in logs and metrics.
     *
     * @return the label
     */
    public String label() {
        return label;
    }
}
