package org.prismpool.refresh.internal;

import java.time.Duration;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import org.prismpool.templates.chain.Hash256;

/**
 * Spacing of failed attempts on one tip (spec 07 §2.7). Confined to the refresh owner's thread.
 *
 * <p>The holdoff is the configured time plus up to a quarter of it, and is void as soon as the newest known tip is
 * another one than the attempt worked against.
 */
public final class RetryPacing {

    private static final double JITTER = 0.25;

    private record Holdoff(long startNanos, long lengthNanos, Optional<Hash256> tip) {}

    private final long baseNanos;
    private final DoubleSupplier jitter;
    private Optional<Holdoff> holdoff = Optional.empty();

    /**
     * Creates a pacing without a holdoff.
     *
     * @param base the configured holdoff; zero is off
     * @param jitter uniform numbers in [0, 1)
     */
    public RetryPacing(Duration base, DoubleSupplier jitter) {
        this.baseNanos = base.toNanos();
        this.jitter = jitter;
    }

    /**
     * Stores a holdoff.
     *
     * @param nowNanos monotonic now
     * @param tip tip that the failed attempt worked against, or the newest known one
     */
    public void failed(long nowNanos, Optional<Hash256> tip) {
        if (baseNanos > 0) {
            long extra = (long) (JITTER * baseNanos * jitter.getAsDouble());
            holdoff = Optional.of(new Holdoff(nowNanos, baseNanos + extra, tip));
        }
    }

    /** Forgets the holdoff: an attempt completed. */
    public void completed() {
        holdoff = Optional.empty();
    }

    /**
     * Returns how long attempts must still wait.
     *
     * @param nowNanos monotonic now
     * @param newestKnown newest known tip
     * @return zero when none is stored, it is over, or the tip is another one
     */
    public Duration remaining(long nowNanos, Optional<Hash256> newestKnown) {
        if (holdoff.isEmpty() || !holdoff.get().tip().equals(newestKnown)) {
            return Duration.ZERO;
        }
        Holdoff stored = holdoff.get();
        return Duration.ofNanos(Math.max(0L, stored.lengthNanos() - (nowNanos - stored.startNanos())));
    }
}
