package org.prismpool.lifecycle.service;

import java.time.Duration;

/** The work of a service: loops until it is told to stop. */
@FunctionalInterface
public interface LoopBody {

    /**
     * Loops until {@link LoopControl#stopping()}; a return before that, unless retired, is a fault and starts it again.
     *
     * @param control stop signal, heartbeat and waits
     * @throws Exception treated as the service's failure policy says
     */
    void run(LoopControl control) throws Exception;

    /**
     * Makes a loop that does one thing over and over, first at once.
     *
     * @param period time between the end of one run and the start of the next
     * @param task one run
     * @return the loop; its heartbeat beats before each run and while it waits
     */
    static LoopBody every(Duration period, Task task) {
        return control -> {
            boolean going = !control.stopping();
            while (going) {
                control.beat();
                task.run();
                going = control.pause(period);
            }
        };
    }

    /** One run of a periodic loop. */
    @FunctionalInterface
    interface Task {

        /**
         * Does it once.
         *
         * @throws Exception treated as the service's failure policy says
         */
        void run() throws Exception;
    }
}
