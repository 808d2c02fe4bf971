package org.prismpool.app.publicapi.model.formula;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Which buckets a hash-rate chart reads and shows, and the rate of each.
 *
 * <p>The window of the smoothing holds {@code n = floor(window / bucket)} buckets; from two on each rate is that of the work of
 * the last n buckets, where a bucket without shares counts 0. Source: spec 08 §7.8.
 *
 * @param range how far back, empty for everything
 * @param bucketSeconds time per point
 * @param smoothingSeconds trailing window, 0 for none
 */
public record RateSeries(Optional<Duration> range, int bucketSeconds, int smoothingSeconds) {

    /**
     * Work of one bucket.
     *
     * @param epochSeconds begin of the bucket, a multiple of its length
     * @param shares shares accepted in it
     * @param difficulty their work
     */
    public record Work(long epochSeconds, long shares, BigInteger difficulty) {}

    /**
     * A point of the chart.
     *
     * @param work what the bucket holds itself
     * @param terahashes smoothed rate
     */
    public record Point(Work work, BigDecimal terahashes) {}

    /**
     * Returns where reading begins: the range and, before it, what the first points' windows reach back.
     *
     * @param nowSeconds Unix seconds of the application's clock
     * @return Unix seconds, inclusive; 0 for everything
     */
    public long readFrom(long nowSeconds) {
        return range.map(length -> nowSeconds - length.toSeconds() - (smooth() ? windowSeconds() : 0))
                .orElse(0L);
    }

    /**
     * Returns the first bucket that is shown: the first that begins inside the range, so that no point is half read.
     *
     * @param nowSeconds Unix seconds that reading was anchored on
     * @return Unix seconds, {@link Long#MIN_VALUE} for everything
     */
    public long showFrom(long nowSeconds) {
        return range.map(
                        length -> -Math.floorDiv(length.toSeconds() - nowSeconds, (long) bucketSeconds) * bucketSeconds)
                .orElse(Long.MIN_VALUE);
    }

    /**
     * Calculates the points that are shown.
     *
     * @param read buckets with shares, ascending
     * @param nowSeconds Unix seconds that reading was anchored on
     * @return points, ascending
     * @throws IllegalArgumentException if the buckets are not ascending
     */
    public List<Point> points(List<Work> read, long nowSeconds) {
        long reach = smooth() ? windowSeconds() : bucketSeconds;
        long first = showFrom(nowSeconds);
        List<Point> points = new ArrayList<>();
        Deque<Work> window = new ArrayDeque<>();
        BigInteger sum = BigInteger.ZERO;
        for (Work work : read) {
            if (!window.isEmpty() && window.getLast().epochSeconds() >= work.epochSeconds()) {
                throw new IllegalArgumentException("buckets are not ascending");
            }
            window.addLast(work);
            sum = sum.add(work.difficulty());
            while (window.getFirst().epochSeconds() <= work.epochSeconds() - reach) {
                sum = sum.subtract(window.removeFirst().difficulty());
            }
            if (work.epochSeconds() >= first) {
                points.add(new Point(work, WorkRate.terahashes(sum, reach)));
            }
        }
        return List.copyOf(points);
    }

    private boolean smooth() {
        return smoothingSeconds / bucketSeconds >= 2;
    }

    private long windowSeconds() {
        return (long) (smoothingSeconds / bucketSeconds) * bucketSeconds;
    }
}
