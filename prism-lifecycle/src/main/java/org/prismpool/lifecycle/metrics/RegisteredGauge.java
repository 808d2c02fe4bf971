package org.prismpool.lifecycle.metrics;

import com.codahale.metrics.Gauge;
import java.util.function.DoubleSupplier;

/** A gauge series as the registry holds it. */
final class RegisteredGauge implements GaugeSeries, Gauge<Double> {

    private static final double UNREADABLE = -1;

    private volatile DoubleSupplier source = () -> 0;
    private volatile boolean written;

    @Override
    public void set(double value) {
        source = () -> value;
        written = true;
    }

    @Override
    public void readFrom(DoubleSupplier reading) {
        source = reading;
        written = true;
    }

    @Override
    public double value() {
        try {
            return source.getAsDouble();
        } catch (RuntimeException e) {
            return UNREADABLE; // the contract's value for what cannot be read
        }
    }

    @Override
    public Double getValue() {
        return value();
    }

    boolean written() {
        return written;
    }
}
