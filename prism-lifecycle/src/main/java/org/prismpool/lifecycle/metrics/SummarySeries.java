package org.prismpool.lifecycle.metrics;

import com.codahale.metrics.Metric;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sum, count and extremes of observations. Thread-safe: guarded by its monitor, held for four additions. */
public final class SummarySeries implements Metric {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private double sum;
    private long count;
    private double largest;
    private double smallest;
    private volatile @Nullable Supplier<Reading> source; // instead of own observations

    SummarySeries() {}

    /**
     * Shows what an owner has summed up itself, instead of observations.
     *
     * @param owner returns one consistent reading; must not block
     */
    public void readFrom(Supplier<Reading> owner) {
        source = owner;
    }

    /**
     * Records one observation.
     *
     * @param value the value, in the unit of the family
     */
    public synchronized void observe(double value) {
        largest = count == 0 ? value : Math.max(largest, value);
        smallest = count == 0 ? value : Math.min(smallest, value);
        sum += value;
        count++;
    }

    /**
     * Records one duration in a family of seconds.
     *
     * @param nanos the duration in nanoseconds
     */
    public void observeNanos(long nanos) {
        observe(nanos / NANOS_PER_SECOND);
    }

    /**
     * Returns one consistent reading.
     *
     * @return a copy
     */
    public Reading reading() {
        Supplier<Reading> owner = source;
        return owner == null ? observed() : owner.get();
    }

    private synchronized Reading observed() {
        return new Reading(sum, count, largest, smallest);
    }

    /**
     * One consistent reading.
     *
     * @param sum sum of the observations
     * @param count number of the observations
     * @param largest largest one; zero before the first
     * @param smallest smallest one; zero before the first
     */
    public record Reading(double sum, long count, double largest, double smallest) {}
}
