package org.prismpool.app.logging;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.concurrent.atomic.LongAdder;

/** A bounded queue before a slow output: what does not fit is dropped and counted, nobody waits. Thread-safe. */
final class DroppingQueue extends AsyncAppender {

    private final LongAdder dropped = new LongAdder();

    DroppingQueue(int capacity) {
        setQueueSize(capacity);
        setNeverBlock(true);
        setDiscardingThreshold(0);
    }

    @Override
    protected void append(ILoggingEvent line) {
        // Two threads at the last free place may both pass: the loser is dropped uncounted, which a gauge of losses can
        // bear.
        if (getRemainingCapacity() == 0) {
            dropped.increment();
        } else {
            super.append(line);
        }
    }

    /** Lines dropped since the queue was made. */
    long dropped() {
        return dropped.sum();
    }
}
