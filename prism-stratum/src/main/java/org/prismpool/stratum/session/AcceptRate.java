package org.prismpool.stratum.session;

/** Accepted shares of one listener in the last minute, in slots of a second. Thread-safe: one private lock. */
final class AcceptRate {

    private static final int SLOTS = 60;
    private static final long SECOND = 1_000_000_000L;

    private final long[] counts = new long[SLOTS];
    private final long startNanos;
    private long newest; // second of the newest slot

    AcceptRate(long startNanos) {
        this.startNanos = startNanos;
    }

    synchronized void count(long nowNanos) {
        advance(nowNanos);
        counts[(int) (newest % SLOTS)]++;
    }

    synchronized double perSecond(long nowNanos) {
        advance(nowNanos);
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return (double) sum / SLOTS;
    }

    private void advance(long nowNanos) {
        long second = (nowNanos - startNanos) / SECOND;
        for (long s = Math.max(newest + 1, second - SLOTS + 1); s <= second; s++) {
            counts[(int) (s % SLOTS)] = 0;
        }
        newest = Math.max(newest, second);
    }
}
