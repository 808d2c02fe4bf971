package org.prismpool.stratum.vardiff;

/** Outcome of looking a remembered difficulty up; the label values of {@code qbit_prism_vardiff_resume_total}. */
public enum ResumeOutcome {
    /** Adopted unchanged. */
    RESUMED("resumed"),
    /** Adopted after it was moved into the allowed range. */
    CLAMPED("clamped"),
    /** Counted additionally when an explicit request replaced the adopted value in the same authorize. */
    OVERRIDDEN("overridden"),
    /** Known but too old. */
    EXPIRED("expired"),
    /** Not known. */
    MISS("miss"),
    /** Known but unusable. */
    REJECTED("rejected"),
    /** The memory is off. */
    DISABLED("disabled");

    private final String label;

    ResumeOutcome(String label) {
        this.label = label;
    }

    /**
     * Returns the metric label value.
     *
     * @return lower-case label
     */
    public String label() {
        return label;
    }
}
