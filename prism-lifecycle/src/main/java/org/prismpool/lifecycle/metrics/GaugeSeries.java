package org.prismpool.lifecycle.metrics;

import java.util.function.DoubleSupplier;

/** One series of a gauge. Thread-safe; setting never blocks. */
public interface GaugeSeries {

    /**
     * Sets the value.
     *
     * @param value the value; {@code -1} where the family says "unreadable"
     */
    void set(double value);

    /**
     * Sets a yes or no.
     *
     * @param value 1 for yes, 0 for no
     */
    default void set(boolean value) {
        set(value ? 1 : 0);
    }

    /**
     * Takes the value from its owner instead.
     *
     * @param reading read by the collector; must not block. If it throws, the value is -1
     */
    void readFrom(DoubleSupplier reading);

    /**
     * Returns the value.
     *
     * @return the value set or read last
     */
    double value();
}
