package org.prismpool.delivery.internal;

import java.util.HashMap;
import java.util.Map;
import org.prismpool.delivery.DeliveryMetrics;

/**
 * How fast an epoch's work reaches the pool's hashrate (spec 07 §3.8): the cohort and its weights are fixed when the epoch
 * is minted, each of the three marks is observed once. Guarded by this object's monitor.
 */
final class HashrateCoverage {

    private static final int[] MARKS = {50, 95, 99};

    private final DeliveryMetrics metrics;
    private Map<Long, Long> waiting = Map.of();
    private long epoch;
    private long mintedNanos;
    private long total;
    private long covered;
    private int nextMark = MARKS.length;

    HashrateCoverage(DeliveryMetrics metrics) {
        this.metrics = metrics;
    }

    /**
     * Starts an epoch.
     *
     * @param weights weight of each connection of the cohort, zero or more
     */
    synchronized void minted(long newEpoch, Map<Long, Long> weights, long nowNanos) {
        epoch = newEpoch;
        waiting = new HashMap<>(weights);
        mintedNanos = nowNanos;
        covered = 0;
        total = weights.values().stream().mapToLong(Long::longValue).sum();
        nextMark = 0;
        observe(nowNanos);
    }

    /** Records the delivery of an epoch's work. */
    synchronized void delivered(long connectionId, long jobEpoch, long nowNanos) {
        if (nextMark < MARKS.length && jobEpoch == epoch) {
            Long weight = waiting.remove(connectionId);
            if (weight != null) {
                covered += weight;
                observe(nowNanos);
            }
        }
    }

    private void observe(long nowNanos) {
        while (nextMark < MARKS.length && reached(MARKS[nextMark])) {
            metrics.coverage(MARKS[nextMark], nowNanos - mintedNanos);
            nextMark++;
        }
    }

    /** Compared as whole numbers; weights are far below 2^63 / 100 in sum. */
    private boolean reached(int percent) {
        return Math.multiplyExact(covered, 100L) >= Math.multiplyExact(total, percent);
    }
}
