package org.prismpool.stratum.bench;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One job on its way to a number of clients. The clients only count: who measures is woken once, by the last of them, because
 * waking it for each would take the processors from the server. Thread-safe.
 */
final class FanoutRound {

    private final AtomicInteger awaited;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile long lastNanos;
    private volatile boolean lost;

    FanoutRound(int clients) {
        this.awaited = new AtomicInteger(clients);
    }

    /** One more client has the job; called at most once for each. */
    void arrived(long nowNanos) {
        if (awaited.decrementAndGet() == 0) {
            lastNanos = nowNanos;
            over.countDown();
        }
    }

    /** A client's connection ended: this round will never be complete. */
    void lost() {
        lost = true;
        over.countDown();
    }

    /** Waits for the last client; empty if one was lost or the limit passed. */
    OptionalLong lastArrival(Duration limit) throws InterruptedException {
        boolean complete = over.await(limit.toNanos(), TimeUnit.NANOSECONDS) && !lost;
        return complete ? OptionalLong.of(lastNanos) : OptionalLong.empty();
    }
}
