package org.prismpool.lifecycle.metrics;

import java.util.function.DoubleSupplier;

/** One series of a counter. Thread-safe; counting never blocks. */
public interface CounterSeries {

    /** Adds one. */
    void increment();

    /**
     * Adds a whole number.
     *
     * @param amount zero or more
     */
    void add(long amount);

    /**
     * Adds a fraction, for counters of seconds.
     *
     * @param amount zero or more
     */
    void add(double amount);

    /**
     * Takes the value from an owner that counts for itself, instead of from the methods above.
     *
     * @param reading read by the collector; must not block. If it throws, the last value stays
     */
    void readFrom(DoubleSupplier reading);

    /**
     * Returns the value.
     *
     * @return the sum so far
     */
    double value();
}
