package org.prismpool.stratum.internal;

import java.util.concurrent.atomic.AtomicLong;

/** Lets one log line a second through of what outsiders can cause at will. Thread-safe. */
final class LogGate {

    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong openFrom;

    LogGate(long nowNanos) {
        openFrom = new AtomicLong(nowNanos);
    }

    boolean passes(long nowNanos) {
        long from = openFrom.get();
        return nowNanos - from >= 0 && openFrom.compareAndSet(from, nowNanos + SECOND);
    }
}
