package org.prismpool.bundle.internal;

/** Told of counters and durations by the scheduler shell, outside its lock. */
interface SchedulerListener {

    /** A counter of the table rises. */
    void count(SchedulerCount counter);

    /** A displaced build ended. */
    void cancellation(long nanos);

    /** A build started after another one had to be displaced. */
    void replacementStart(long nanos);

    /** A build ended, however. */
    void buildEnded(long nanos);
}
