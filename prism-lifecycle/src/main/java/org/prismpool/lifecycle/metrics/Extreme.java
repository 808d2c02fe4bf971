package org.prismpool.lifecycle.metrics;

/** Which extreme of its observations a summary renders besides sum and count. */
public enum Extreme {
    /** Neither. */
    NONE(""),
    /** The largest, as {@code _max}; zero before the first observation. */
    MAX("_max"),
    /** The smallest, as {@code _min}; zero before the first observation. */
    MIN("_min");

    private final String suffix;

    Extreme(String suffix) {
        this.suffix = suffix;
    }

    String suffix() {
        return suffix;
    }
}
