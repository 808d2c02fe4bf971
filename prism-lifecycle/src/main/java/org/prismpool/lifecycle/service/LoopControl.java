package org.prismpool.lifecycle.service;

import java.time.Duration;

/** What a loop needs from its surroundings. Used on the loop's own thread only. */
public interface LoopControl {

    /**
     * Tells whether the loop should end.
     *
     * @return true once a stop was asked for
     */
    boolean stopping();

    /** Records progress of a watched loop. */
    void beat();

    /**
     * Records progress of a watched loop and what it does next.
     *
     * @param phase what it does until its next beat
     */
    void beat(String phase);

    /**
     * Waits on purpose, in slices that each count as progress, so that a long wait is not taken for a hang.
     *
     * @param wait time to wait
     * @return true if the time is over, false if a stop was asked for
     * @throws InterruptedException if the thread is interrupted
     */
    boolean pause(Duration wait) throws InterruptedException;

    /**
     * Declares that this loop has nothing to do in this process: its heartbeat is removed and its next return is its end.
     */
    void retire();
}
