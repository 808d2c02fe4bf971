package org.prismpool.payout.state;

/**
 * When the next background re-anchor may start; pure.
 *
 * @param earliestNanos monotonic time before which none starts
 * @param factor 1 to 16, doubled by every aborted build
 */
record RearmPacing(long earliestNanos, int factor) {

    static RearmPacing start(long nowNanos) {
        return new RearmPacing(nowNanos, 1);
    }

    boolean due(long nowNanos) {
        return nowNanos - earliestNanos >= 0;
    }

    RearmPacing scheduled(long nowNanos, long rearmMinNanos) {
        return new RearmPacing(nowNanos + rearmMinNanos * factor, factor);
    }

    RearmPacing aborted(long nowNanos, long rearmMinNanos) {
        int doubled = Math.min(PreparedWindowConfig.BACKOFF_MAX, factor * 2);
        return new RearmPacing(nowNanos + rearmMinNanos * doubled, doubled);
    }

    RearmPacing succeeded(long nowNanos, long rearmMinNanos) {
        return new RearmPacing(nowNanos + rearmMinNanos, 1);
    }
}
