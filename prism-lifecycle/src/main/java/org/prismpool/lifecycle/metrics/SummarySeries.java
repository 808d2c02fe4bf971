package org.prismpool.lifecycle.metrics;

import com.codahale.metrics.Metric;
import java.util.concurrent.TimeUnit;

/** Sum, count and extremes of observations. Thread-safe: guarded by its monitor, held for four additions. */
public final class SummarySeries implements Metric {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private double sum;
    private long count;
    private double largest;
    private double smallest;

    SummarySeries() {}

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
    public synchronized Reading reading() {
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
