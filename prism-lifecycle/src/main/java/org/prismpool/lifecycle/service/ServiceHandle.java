package org.prismpool.lifecycle.service;

import java.time.Duration;

/** A started service. Thread-safe. */
public interface ServiceHandle {

    /**
     * Returns its name.
     *
     * @return the name in its description
     */
    String name();

    /**
     * Tells whether its thread is alive.
     *
     * @return false once the loop has ended
     */
    boolean running();

    /**
     * Waits for the end of its thread; interrupts it once when the time is over.
     *
     * @param bound longest wait
     * @return true if it has ended
     * @throws InterruptedException if the calling thread is interrupted
     */
    boolean join(Duration bound) throws InterruptedException;
}
