package org.prismpool.lifecycle.service;

/** Port that is told of the fate of loops. Called on the loop's thread; must not block. */
public interface ServiceObserver {

    /**
     * Tells that a body threw.
     *
     * @param service name of the service
     * @param cause what it threw
     */
    default void failed(String service, Throwable cause) {}

    /**
     * Tells that a body is run again, after a failure or after it returned without being told to.
     *
     * @param service name of the service
     */
    default void restarted(String service) {}

    /**
     * Tells that a service with {@link FailurePolicy#fatal()} has ended: the process cannot go on.
     *
     * @param service name of the service
     * @param cause what it threw
     */
    default void fatal(String service, Throwable cause) {}

    /**
     * Returns an observer that ignores everything.
     *
     * @return the observer
     */
    static ServiceObserver none() {
        return new ServiceObserver() {};
    }
}
