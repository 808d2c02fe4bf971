package org.prismpool.app.metrics;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Durations as the families show them. */
final class Seconds {

    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private Seconds() {}

    static double of(long nanos) {
        return nanos / NANOS;
    }

    static double of(Duration duration) {
        return of(duration.toNanos());
    }
}
