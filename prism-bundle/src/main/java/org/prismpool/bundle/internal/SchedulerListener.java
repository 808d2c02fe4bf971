package org.prismpool.bundle.internal;

import org.prismpool.bundle.BuildWatch;

/** Told of counters and durations by the scheduler shell, outside its lock. */
interface SchedulerListener {

    /** A counter of the table rises. */
    void count(SchedulerCount counter);

    /** A request joined a flight. */
    void joined();

    /** A displaced build ended. */
    void cancellation(long nanos);

    /** A build started after another one had to be displaced. */
    void replacementStart(long nanos);

    /** A build begins to run on its thread; the result is closed when it ends. */
    BuildWatch.Running buildBegan();

    /** A build ended, however. */
    void buildEnded(long nanos);
}
