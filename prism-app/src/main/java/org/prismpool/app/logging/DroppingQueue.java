package org.prismpool.app.logging;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/** A bounded queue before a slow output: what does not fit is dropped and counted, nobody waits. Thread-safe. */
final class DroppingQueue extends AsyncAppender {

    private final LongAdder dropped = new LongAdder();
    // Makes looking and adding one step: two threads at the last free place must not both pass. Never held while a line
    // is
    // prepared, which runs foreign code, or written.
    private final ReentrantLock entrance = new ReentrantLock();

    DroppingQueue(int capacity) {
        setQueueSize(capacity);
        setNeverBlock(true);
        setDiscardingThreshold(0);
    }

    @Override
    protected void append(ILoggingEvent line) {
        preprocess(line); // again in the queue's own code, which then finds everything done
        entrance.lock();
        try {
            if (getRemainingCapacity() == 0) {
                dropped.increment();
            } else {
                super.append(line);
            }
        } finally {
            entrance.unlock();
        }
    }

    /** Lines dropped since the queue was made. */
    long dropped() {
        return dropped.sum();
    }
}
