package org.prismpool.lifecycle.metrics;

/** Port that brings an owner's numbers into its series before each document. Called on the collector's thread only. */
public interface MetricSource {

    /**
     * Returns whose numbers they are, for the log.
     *
     * @return a short name
     */
    String owner();

    /**
     * Sets the series. May ask a backend; a failure leaves the other sources and the document alone.
     *
     * @throws Exception if the numbers cannot be had
     */
    void collect() throws Exception;

    /** Sets what is rendered when {@link #collect()} failed; by default the last values stay. */
    default void unreadable() {}
}
