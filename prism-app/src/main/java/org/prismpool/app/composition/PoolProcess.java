package org.prismpool.app.composition;

import java.util.OptionalInt;
import org.prismpool.app.composition.backend.StartFailure;
import org.prismpool.lifecycle.shutdown.ShutdownReport;

/**
 * A process of the pool, whatever its role: started once, ended once.
 *
 * <p>{@link #start}, {@link #awaitStop} and {@link #stop} are called by one thread; {@link #requestStop} by any. Source: spec
 * 08 §2, §3.
 */
public interface PoolProcess {

    /**
     * Starts everything in the documented order.
     *
     * @return false if a stop was requested meanwhile; {@link #stop} must be called in any case
     * @throws StartFailure if a check fails or something needed cannot be reached; the message says what and how to mend it
     * @throws InterruptedException if interrupted
     */
    boolean start() throws StartFailure, InterruptedException;

    /**
     * Waits until a stop is requested.
     *
     * @throws InterruptedException if interrupted
     */
    void awaitStop() throws InterruptedException;

    /**
     * Requests an orderly stop; returns at once, also from a signal handler.
     *
     * @param signal number of the signal that asked for it, empty for another cause
     */
    void requestStop(OptionalInt signal);

    /**
     * Stops in the documented order.
     *
     * @param reason stable word for logs
     * @return what was done
     */
    ShutdownReport stop(String reason);
}
