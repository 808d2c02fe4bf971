package org.prismpool.lifecycle.metrics;

import com.codahale.metrics.Gauge;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** A counter series as the registry holds it; whole numbers stay exact. */
final class RegisteredCounter implements CounterSeries, Gauge<Double> {

    private final LongAdder whole = new LongAdder();
    private final DoubleAdder fraction = new DoubleAdder();
    private volatile @Nullable LastGood reading;

    @Override
    public void increment() {
        whole.increment();
    }

    @Override
    public void add(long amount) {
        whole.add(amount);
    }

    @Override
    public void add(double amount) {
        fraction.add(amount);
    }

    @Override
    public void readFrom(DoubleSupplier source) {
        reading = new LastGood(source);
    }

    @Override
    public double value() {
        LastGood bound = reading;
        return bound != null ? bound.read() : whole.sum() + fraction.sum();
    }

    @Override
    public Double getValue() {
        return value();
    }

    /** A reading whose last success stands in for a failure. */
    private static final class LastGood {

        private final DoubleSupplier source;
        private volatile double last;

        private LastGood(DoubleSupplier source) {
            this.source = source;
        }

        private double read() {
            try {
                last = source.getAsDouble();
            } catch (RuntimeException e) {
                // A counter must not fall: the collector renders what was true last.
                return last;
            }
            return last;
        }
    }
}
