package org.prismpool.stratum.bench;

import java.util.Arrays;

/** Collects times of one event loop. Written by that loop, read after it has stopped submitting. */
final class Latencies {

    private long[] nanos = new long[16];
    private int count;

    synchronized void add(long value) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = value;
    }

    synchronized void clear() {
        count = 0;
    }

    synchronized int count() {
        return count;
    }

    synchronized double percentileNanos(double percent) {
        if (count == 0) {
            return 0;
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return sorted[(int) Math.min(count - 1L, Math.round(percent / 100 * (count - 1)))];
    }
}
