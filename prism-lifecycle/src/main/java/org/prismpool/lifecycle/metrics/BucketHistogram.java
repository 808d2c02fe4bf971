package org.prismpool.lifecycle.metrics;

import com.codahale.metrics.Metric;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts of observations by fixed upper bounds, with their sum. Thread-safe; an observation is two uncontended additions.
 *
 * <p>A reading taken during observations may miss the newest of them in the sum; its counts are consistent in themselves.
 */
public final class BucketHistogram implements Metric {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final double[] bounds;
    private final LongAdder[] counts; // one per bound, and one for what is beyond the last
    private final DoubleAdder sum = new DoubleAdder();

    BucketHistogram(List<BigDecimal> bounds) {
        this.bounds = bounds.stream().mapToDouble(BigDecimal::doubleValue).toArray();
        this.counts = new LongAdder[bounds.size() + 1];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new LongAdder();
        }
    }

    /**
     * Records one observation.
     *
     * @param value the value, in the unit of the family; counts for every bound that it does not exceed
     */
    public void observe(double value) {
        int bucket = 0;
        while (bucket < bounds.length && value > bounds[bucket]) {
            bucket++;
        }
        counts[bucket].increment();
        sum.add(value);
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
     * Returns the cumulative counts.
     *
     * @return one count per bound and, last, the count of all observations
     */
    public long[] cumulativeCounts() {
        long[] cumulative = new long[counts.length];
        long running = 0;
        for (int i = 0; i < counts.length; i++) {
            running += counts[i].sum();
            cumulative[i] = running;
        }
        return cumulative;
    }

    /**
     * Returns the sum of the observations.
     *
     * @return the sum so far
     */
    public double sum() {
        return sum.sum();
    }
}
