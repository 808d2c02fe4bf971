package org.prismpool.lifecycle.metrics;

import java.util.Locale;

/** Types of metric families in the text exposition. */
public enum MetricType {
    /** A sum that only grows. */
    COUNTER,
    /** A value that goes up and down. */
    GAUGE,
    /** Counts by fixed upper bounds, with sum and count. */
    HISTOGRAM,
    /** Sum and count. */
    SUMMARY;

    /**
     * Returns the name in the exposition.
     *
     * @return the name in lower case
     */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
