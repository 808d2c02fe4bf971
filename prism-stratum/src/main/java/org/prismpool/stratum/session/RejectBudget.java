package org.prismpool.stratum.session;

import org.prismpool.stratum.ProtocolLimits;

/** Budget of refused submits of one session (spec 02 §1.6), a token bucket in nanoseconds. Confined to the event loop. */
final class RejectBudget {

    private static final long SECOND = 1_000_000_000L;

    private final long nanosPerToken;
    private final long burstNanos;
    private long emptyAtNanos; // the bucket holds (now - this) worth of tokens, at most the burst

    RejectBudget(ProtocolLimits limits, long nowNanos) {
        nanosPerToken = SECOND / limits.rejectsPerSecond();
        burstNanos = nanosPerToken * limits.rejectBurst();
        emptyAtNanos = nowNanos - burstNanos;
    }

    /** Takes one token; returns whether the session is over its budget now. */
    boolean spend(long nowNanos) {
        if (nowNanos - emptyAtNanos > burstNanos) {
            emptyAtNanos = nowNanos - burstNanos;
        }
        emptyAtNanos += nanosPerToken;
        return nowNanos - emptyAtNanos < 0;
    }
}
