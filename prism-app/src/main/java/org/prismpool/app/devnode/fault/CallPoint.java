package org.prismpool.app.devnode.fault;

/** Where in a call a fault strikes. */
public enum CallPoint {
    /** The node has done nothing yet. */
    BEFORE_PROCESSING,
    /** The node has done the work; only the answer is missing. */
    AFTER_PROCESSING
}
