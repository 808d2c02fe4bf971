package org.prismpool.lifecycle.shutdown;

import java.time.Duration;

/** Reading side of "stop now" for loops. Thread-safe; once raised it stays raised. */
public interface StopSignal {

    /**
     * Tells whether a stop was asked for.
     *
     * @return true once raised
     */
    boolean requested();

    /**
     * Waits for the signal.
     *
     * @param longest longest real time to wait
     * @return true if the signal is raised, false if the time is over
     * @throws InterruptedException if the calling thread is interrupted
     */
    boolean await(Duration longest) throws InterruptedException;
}
